// A list whose boxes can be moved by the grip in their head. The box that is dropped sends its form, as its buttons do, with
// its new place instead of a way.
(() => {
	for (const list of document.querySelectorAll("[data-order]")) {
		for (const grip of list.querySelectorAll("[data-grip]")) grip.hidden = false;
		Sortable.create(list, {
			handle: "[data-grip]",
			draggable: "section",
			forceFallback: true, // the same for a mouse and for a finger
			onEnd: ({ item, oldDraggableIndex, newDraggableIndex }) => {
				const form = item.querySelector("form");
				if (oldDraggableIndex === newDraggableIndex || !form) return;
				form.action = item.dataset.move + (newDraggableIndex + 1);
				form.requestSubmit();
			},
		});
	}
})();
