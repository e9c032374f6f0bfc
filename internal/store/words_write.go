package store

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
)

// What staff edit of the lists of words. Nothing is removed from them. Each function returns what changed.

// SaveStatusTexts stores the titles and colours of the application statuses.
func (tx *Tx) SaveStatusTexts(list []admitto.StatusText) (changes []admitto.Detail, err error) {
	was, err := tx.StatusTexts()
	if err != nil {
		return nil, err
	}
	for i := range list {
		s := &list[i]
		at := slices.IndexFunc(was, func(old admitto.StatusText) bool { return old.Name == s.Name })
		if at < 0 {
			continue
		}
		own := len(changes)
		changes = append(changes, changed("/"+string(s.Name)+"/title", was[at].Title, s.Title)...)
		changes = append(changes, changed("/"+string(s.Name)+"/colour", was[at].Colour, s.Colour)...)
		for _, c := range s.Versions.Changes(was[at].Versions) {
			changes = append(changes, admitto.Detail{Path: "/" + string(s.Name) + "/" + c.Name + "[" + c.Lang + "]", Old: c.Old,
				New: c.New})
		}
		if len(changes) == own {
			continue
		}
		_, err = tx.exec("UPDATE application_status SET title = $2, colour = $3, versions = $4, "+
			"row_version = row_version + 1 WHERE name = $1", string(s.Name), s.Title, s.Colour, columns.OfVersions(s.Versions))
		if err != nil {
			return nil, err
		}
	}
	return changes, nil
}

// changed is the change of a value, nothing where it stays.
func changed(path, old, now string) []admitto.Detail {
	if old == now {
		return nil
	}
	return []admitto.Detail{{Path: path, Old: old, New: now}}
}

// SaveRegion stores a region at its place, a new one where there is none with its code.
func (tx *Tx) SaveRegion(region *admitto.Region, place int) (changes []admitto.Detail, err error) {
	all, err := tx.Regions()
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(all, func(r admitto.Region) bool { return r.Code == region.Code })
	old, oldPlace := admitto.Region{}, ""
	if at >= 0 {
		old = all[at]
		n, err := tx.number("SELECT position FROM region WHERE code = $1", region.Code)
		if err != nil {
			return nil, err
		}
		oldPlace = strconv.FormatInt(n, 10)
	}
	changes = append(changes, changed("/name", old.Name, region.Name)...)
	changes = append(changes, changed("/members", strings.Join(old.Members, " "), strings.Join(region.Members, " "))...)
	changes = append(changes, changed("/order", oldPlace, strconv.Itoa(place))...)
	if len(changes) == 0 {
		return nil, nil
	}
	members, err := json.Marshal(append([]string{}, region.Members...))
	if err != nil {
		return nil, err
	}
	sql := "UPDATE region SET name = $2, position = $3, members = $4, row_version = row_version + 1 WHERE code = $1"
	if at < 0 {
		sql = "INSERT INTO region (code, name, position, members) VALUES ($1, $2, $3, $4)"
	}
	_, err = tx.exec(sql, region.Code, region.Name, place, string(members))
	return changes, err
}

// SaveCodes stores the codes of a class in their order, those among them that are new.
func (tx *Tx) SaveCodes(class *admitto.Classificator) (changes []admitto.Detail, err error) {
	all, err := tx.Classificators()
	if err != nil {
		return nil, err
	}
	var was []admitto.ClassificatorCode
	for i := range all {
		if all[i].Number == class.Number {
			was = all[i].Codes
		}
	}
	order := func(list []admitto.ClassificatorCode) string {
		var codes []string
		for _, c := range list {
			codes = append(codes, c.Code)
		}
		return strings.Join(codes, " ")
	}
	for place, c := range class.Codes {
		at := slices.IndexFunc(was, func(old admitto.ClassificatorCode) bool { return old.Code == c.Code })
		if at < 0 {
			_, err = tx.exec("INSERT INTO classificator (class, code, title, active, class_position, position) "+
				"VALUES ($1, $2, $3, $4, $5, $6)", class.Class, c.Code, c.Title, !c.Off, class.Number, place+1)
			changes = append(changes, changed("/"+c.Code+"/title", "", c.Title)...)
		} else if was[at] != c || at != place {
			_, err = tx.exec("UPDATE classificator SET title = $3, active = $4, position = $5, row_version = row_version + 1 "+
				"WHERE class = $1 AND code = $2", class.Class, c.Code, c.Title, !c.Off, place+1)
			changes = append(changes, changed("/"+c.Code+"/title", was[at].Title, c.Title)...)
			changes = append(changes, changed("/"+c.Code+"/active", strconv.FormatBool(!was[at].Off),
				strconv.FormatBool(!c.Off))...)
		}
		if err != nil {
			return nil, err
		}
	}
	return append(changes, changed("/order", order(was), order(class.Codes))...), nil
}
