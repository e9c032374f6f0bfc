package api

import (
	"reflect"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/form"

	"github.com/admitto/admitto/internal/config"
)

// wireTypes are all structs with wire tags; a test holds them against the source.
var wireTypes = []reflect.Type{
	reflect.TypeFor[versionWire](), reflect.TypeFor[feeWire](), reflect.TypeFor[feeAmountWire](),
	reflect.TypeFor[pingWire](), reflect.TypeFor[recordWire](),
	reflect.TypeFor[applicantWire](), reflect.TypeFor[applicantName](),
	reflect.TypeFor[applicationWire](), reflect.TypeFor[wire.Content](), reflect.TypeFor[wire.Extra](),
	reflect.TypeFor[moneyWire](),
	reflect.TypeFor[courseAssociationWire](), reflect.TypeFor[flagAssociationWire](), reflect.TypeFor[studyPlanWire](),
	reflect.TypeFor[subjectWire](),
	reflect.TypeFor[trackerAssociationWire](), reflect.TypeFor[trackerWire](), reflect.TypeFor[reductionWire](),
	reflect.TypeFor[institutionWire](), reflect.TypeFor[departmentWire](), reflect.TypeFor[courseWire](),
	reflect.TypeFor[awardWire](),
	reflect.TypeFor[prospectWire](), reflect.TypeFor[intakeWire](), reflect.TypeFor[preWire](),
	reflect.TypeFor[deadlineWire](),
	reflect.TypeFor[decisionWire](), reflect.TypeFor[termWire](), reflect.TypeFor[termTypeWire](),
	reflect.TypeFor[yearWire](),
	reflect.TypeFor[consentWire](), reflect.TypeFor[flagWire](), reflect.TypeFor[statusTextWire](),
	reflect.TypeFor[offerTypeWire](),
	reflect.TypeFor[typeReasonWire](), reflect.TypeFor[administratorWire](), reflect.TypeFor[roleWire](),
	reflect.TypeFor[noteWire](), reflect.TypeFor[offerWire](), reflect.TypeFor[offerScore](),
	reflect.TypeFor[offerReason](),
	reflect.TypeFor[offerTypeOfOffer](), reflect.TypeFor[offerAttachmentWire](), reflect.TypeFor[letterWire](),
	reflect.TypeFor[rankingWire](), reflect.TypeFor[rankingFiltersWire](), reflect.TypeFor[rankingEntryWire](),
	reflect.TypeFor[rankingScore](),
	reflect.TypeFor[scoresheetWire](), reflect.TypeFor[scoreMapWire](), reflect.TypeFor[scoresheetGroup](),
	reflect.TypeFor[scoreWire](),
	reflect.TypeFor[fileWire](), reflect.TypeFor[applicantDocumentWire](), reflect.TypeFor[emailWire](),
	reflect.TypeFor[emailSender](),
	reflect.TypeFor[taskWire](), reflect.TypeFor[taskNotes](), reflect.TypeFor[exportWire](),
	reflect.TypeFor[exportProfile](),
	reflect.TypeFor[exportAdapter](), reflect.TypeFor[blobWire](), reflect.TypeFor[consentAssociationWire](),
	reflect.TypeFor[wishWire](),
	reflect.TypeFor[givenParameters](), reflect.TypeFor[invoiceCollection](), reflect.TypeFor[invoiceItem](),
	reflect.TypeFor[invoicePayer](), reflect.TypeFor[invoiceSeries](), reflect.TypeFor[invoiceWire](),
	reflect.TypeFor[letterheadWire](), reflect.TypeFor[paymentGateway](), reflect.TypeFor[paymentWire](),
	reflect.TypeFor[reportParameterWire](), reflect.TypeFor[reportWire](), reflect.TypeFor[seriesLast](),
	reflect.TypeFor[seriesWire](), reflect.TypeFor[tableviewWire](), reflect.TypeFor[transactionWire](),
	reflect.TypeFor[purgedWire](), reflect.TypeFor[purgedMark](), reflect.TypeFor[loginWire](),
	reflect.TypeFor[pagesWire](), reflect.TypeFor[pagesItems](),
}

// WireNames returns the names of the wire structs.
func WireNames() (names []string) {
	for _, t := range wireTypes {
		names = append(names, t.Name())
	}
	return names
}

// EncodeZero compiles a wire struct for a version and encodes an empty one, whose pointers are all set.
func EncodeZero(name string, v int) []byte {
	t := wireTypes[slices.IndexFunc(wireTypes, func(t reflect.Type) bool { return t.Name() == name })]
	value := reflect.New(t)
	fillPointers(value.Elem())
	return encodeIn(v, value.Interface())
}

func encodeIn(v int, value any) []byte {
	c := &call{api: &API{live: config.NewLive(config.Defaults())}, version: version.Number(v), prefix: "/api/v9"}
	return c.encode(nil, value)
}

func fillPointers(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillPointers(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fillPointers(v.Field(i))
			}
		}
	}
}

// TagBounds returns for each field with a tag since or until the first version that differs from the one before.
func TagBounds() map[string]int {
	bounds := map[string]int{}
	for _, t := range wireTypes {
		addBounds(bounds, t)
	}
	for _, f := range form.Fields() {
		if f.Since != 0 {
			bounds[f.Path+" since"] = f.Since
		}
		if f.Until != 0 {
			bounds[f.Path+" until"] = f.Until + 1
		}
	}
	return bounds
}

func addBounds(bounds map[string]int, t reflect.Type) {
	for _, f := range reflect.VisibleFields(t) {
		if n, err := strconv.Atoi(f.Tag.Get("since")); err == nil {
			bounds[t.Name()+"."+f.Name+" since"] = n
		}
		if n, err := strconv.Atoi(f.Tag.Get("until")); err == nil {
			bounds[t.Name()+"."+f.Name+" until"] = n + 1
		}
	}
}

// FieldRights returns the tag right of every field that may hold what has a path of its own; "" where it is missing.
func FieldRights() map[string]string {
	rights := map[string]string{}
	for _, t := range wireTypes {
		for i := range t.NumField() {
			f := t.Field(i)
			isNotes := f.Tag.Get("wire") == "notes" && f.Tag.Get("until") == "5"
			if f.Type == wire.ExpandableType || f.Type.Implements(wire.EmbeddingType) || isNotes {
				rights[t.Name()+"."+f.Name] = f.Tag.Get(wire.RightTag)
			}
		}
	}
	return rights
}
