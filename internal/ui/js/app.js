// What pages do on top of what they can do without scripts. Nothing here is needed to use a page.
"use strict";
(() => {
	const all = (selector, root = document) => [...root.querySelectorAll(selector)];
	const typing = (el) => el.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(el.tagName);

	// What only works with scripts is hidden until here.
	const reveal = (root) => {
		for (const el of all("[data-enhanced]", root)) el.hidden = false;
		for (const el of all("textarea[data-limit]", root)) countLeft(el);
		for (const el of all("form[data-picks]", root)) keepPicks(el, true);
		for (const el of all("time[data-local]", root)) localTime(el);
	};

	// How many characters are left: said when there are 200 or fewer.
	const countLeft = (el) => {
		const said = document.querySelector(`[data-left="${el.id}"]`);
		const left = el.dataset.limit - [...el.value].length;
		if (!said) return;
		said.dataset.first ??= said.textContent;
		said.textContent = left > 200 ? said.dataset.first : said.dataset.text.replace("{n}", left);
	};

	// The time of the visitor's own zone, where it is another one.
	const localTime = (el) => {
		const time = new Date(el.dateTime);
		const here = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }).format(time);
		if (!Number.isNaN(+time) && here !== el.dataset.local) el.append(` (${here})`);
	};

	// The selection of a list is kept over its pages, as long as the tab is open: by the address without page and order.
	const picksOf = () => {
		const at = new URLSearchParams(location.search);
		for (const name of ["page", "size", "sort", "order", "column"]) at.delete(name);
		return `picks ${location.pathname}?${at}`;
	};
	const keepPicks = (form, first) => {
		const boxes = all("tbody input[name=id]", form), kept = new Set(JSON.parse(sessionStorage.getItem(picksOf()) ?? "[]"));
		for (const box of boxes) {
			if (first && kept.has(box.value)) box.checked = true;
			kept[box.checked ? "add" : "delete"](box.value);
		}
		sessionStorage.setItem(picksOf(), JSON.stringify([...kept]));
		for (const el of all("input[data-kept]", form)) el.remove();
		for (const id of kept) {
			if (boxes.some((box) => box.value === id)) continue;
			const el = Object.assign(document.createElement("input"), { type: "hidden", name: "id", value: id });
			el.dataset.kept = "";
			form.append(el);
		}
		countPicks(form);
	};

	// How many rows are selected.
	const countPicks = (form) => {
		const boxes = all("tbody input[name=id]", form), here = boxes.filter((box) => box.checked).length;
		const picked = here + all("input[data-kept]", form).length, none = form.querySelector("[data-unpick]");
		if (none) none.hidden = !picked;
		const said = form.querySelector("[data-selected]"), every = form.querySelector("[data-all] input");
		if (said) {
			said.dataset.none ??= picked ? "" : said.textContent;
			said.textContent = picked || !said.dataset.none ? said.dataset.selected.replace("{n}", picked) : said.dataset.none;
		}
		if (every) {
			every.checked = here === boxes.length;
			every.indeterminate = here > 0 && here < boxes.length;
		}
	};

	// Text is put where the cursor of a letter is, or around what is selected.
	const insert = (area, before, after = "") => {
		const { selectionStart: from, selectionEnd: to, value } = area;
		area.focus();
		area.setRangeText(before + value.slice(from, to) + after, from, to, "end");
		area.dispatchEvent(new Event("input", { bubbles: true }));
	};

	document.addEventListener("click", (event) => {
		const el = event.target.closest("button, a, summary");
		for (const menu of all("details[data-menu][open]")) if (!menu.contains(event.target)) menu.open = false;
		if (!el) return;
		if ("unpick" in el.dataset) {
			const form = el.closest("form");
			for (const box of all("tbody input[name=id]", form)) box.checked = false;
			sessionStorage.removeItem(picksOf());
			keepPicks(form);
			form.querySelector("tbody input[name=id]")?.focus();
		}
		if ("close" in el.dataset) {
			const next = el.closest(".notice").nextElementSibling?.querySelector("a, button, input");
			el.closest(".notice").remove();
			(next ?? document.getElementById("main"))?.focus();
		}
		if ("print" in el.dataset) print();
		if (el.dataset.copy) {
			navigator.clipboard?.writeText(document.getElementById(el.dataset.copy).textContent).then(() => {
				el.querySelector("[role=status]").textContent = el.dataset.done;
			});
		}
		const letter = el.closest("[data-letter]");
		if (letter) {
			const area = document.getElementById(letter.dataset.letter), { wrap, line, after = "" } = el.dataset;
			if (el.dataset.insert) insert(area, el.dataset.insert);
			else if (wrap) insert(area, wrap, wrap + after);
			else if (line) insert(area, (area.selectionStart && area.value[area.selectionStart - 1] !== "\n" ? "\n" : "") + line);
		}
	});

	document.addEventListener("input", (event) => {
		const el = event.target;
		if (el.matches("textarea[data-limit]")) countLeft(el);
		const form = el.closest("form[data-picks]");
		if (!form) return;
		if (el.closest("[data-all]")) for (const box of all("tbody input[name=id]", form)) box.checked = el.checked;
		keepPicks(form);
	});

	// A form is sent once: its button says what happens, and further presses do nothing until the answer is there.
	document.addEventListener("submit", (event) => {
		const form = event.target, button = event.submitter;
		if (form.method !== "post" || event.defaultPrevented) return;
		if (form.dataset.sent) return event.preventDefault();
		form.dataset.sent = "1";
		if (button?.dataset.busy) button.querySelector("span").textContent = button.dataset.busy;
		button?.setAttribute("aria-disabled", "true");
	});
	addEventListener("pageshow", (event) => {
		if (!event.persisted) return;
		for (const form of all("form[data-sent]")) delete form.dataset.sent;
		for (const box of all("form[data-picks] tbody input[name=id]")) box.checked = false;
		for (const form of all("form[data-picks]")) keepPicks(form, true);
	});

	// Files that are dropped go into the field of their box.
	for (const kind of ["dragover", "dragleave", "drop"]) {
		document.addEventListener(kind, (event) => {
			const box = event.target.closest?.("[data-drop]"), input = box?.querySelector("input[type=file]");
			if (!input || input.disabled) return;
			event.preventDefault();
			box.classList.toggle("over", kind === "dragover");
			if (kind === "drop" && event.dataTransfer.files.length) {
				input.files = event.dataTransfer.files;
				input.dispatchEvent(new Event("change", { bubbles: true }));
			}
		});
	}

	// Five minutes before a session ends it is said; what is typed is kept every ten seconds until it is saved.
	const ends = document.querySelector("[data-ends]");
	let warning;
	const watch = () => {
		clearTimeout(warning);
		ends.hidden = true;
		warning = setTimeout(() => { ends.hidden = false; }, Math.max(ends.dataset.ends - 300, 1) * 1000);
	};
	if (ends) {
		watch();
		ends.querySelector("[data-stay]").addEventListener("click", async (event) => {
			const kept = await fetch(event.currentTarget.dataset.stay, { method: "POST", body: new URLSearchParams() });
			if (kept.ok) watch();
			else location.reload();
		});
	}
	const keep = async (form) => {
		const stamp = form.querySelector("input[name=of]"), area = document.body.matches(".admin") ? "/admin" : "/my";
		const typed = new URLSearchParams([...new FormData(form)].filter(([, value]) => typeof value === "string")), now = `${typed}`;
		if (!stamp || form.dataset.sent || form.dataset.kept === now) return;
		const kept = await fetch(`${area}/draft`, { method: "POST", body: typed, keepalive: now.length < 60000 });
		if (kept.ok) form.dataset.kept = now;
	};
	const changed = new Set();
	document.addEventListener("input", (event) => {
		const form = event.target.closest("form[method=post]:not([data-picks])");
		if (form?.querySelector("textarea, input:not([type=hidden])") && !form.querySelector("[type=password]")) changed.add(form);
	});
	const keepChanged = () => {
		const forms = [...changed];
		changed.clear();
		for (const form of forms) keep(form).catch(() => changed.add(form)); // nothing answers: again next time
	};
	setInterval(keepChanged, 10000);
	addEventListener("pagehide", keepChanged);

	// Shortcuts of the administration; none while typing, and none where they are switched off.
	let first = "";
	document.addEventListener("keydown", (event) => {
		if (event.key === "Escape") {
			for (const menu of all("details[data-menu][open]")) {
				menu.open = false;
				menu.querySelector("summary").focus();
			}
		}
		if (!document.body.matches(".admin:not([data-keys=off])")) return;
		if (event.key === "Enter" && event.ctrlKey && event.target.form) {
			event.preventDefault();
			event.target.form.querySelector(".btn.primary, .btn:not([type=button])")?.click();
		}
		if (typing(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
		const keys = first ? `${first} ${event.key}` : event.key;
		first = event.key === "g" && !first ? "g" : "";
		if (keys === "/") {
			event.preventDefault();
			document.querySelector("[data-search]")?.focus();
		} else if (keys === "?") {
			document.getElementById("shortcuts")?.togglePopover();
		} else if ((keys === "j" || keys === "k") && document.querySelector(".viewer, [data-walk]")) {
			const list = all(".viewer > ul a, [data-walk] a"), now = list.findIndex((a) => a.ariaCurrent);
			list[now + (keys === "j" ? 1 : -1)]?.click();
		} else if (keys === "j" || keys === "k") {
			const rows = all("table:not(.matrix) tr:has(.name)"), now = rows.indexOf(document.activeElement.closest("tr") ?? document.querySelector("tr:target"));
			rows[keys === "j" ? now + 1 : Math.max(now - 1, 0)]?.querySelector(".name").focus();
		} else if (/^[1-9]$/.test(keys)) {
			all(".tabs a")[keys - 1]?.click();
		} else if (keys === "e") {
			event.preventDefault();
			const main = document.querySelector("#main .bulk") ?? document.getElementById("main"), fields = "select, textarea, input:not([type=hidden], [type=checkbox])";
			(all(fields, main).find((el) => el.checkVisibility()) ?? main.querySelector(".btn.danger, .btn.primary, .tabs ~ * .btn"))?.focus();
		} else {
			document.querySelector(`a[data-key="${CSS.escape(keys)}"]`)?.click();
		}
	});

	const start = () => {
		if (document.querySelector(".notice form")) sessionStorage.removeItem(picksOf()); // it was done, and can be taken back
		reveal(document);
		document.querySelector("[data-focus]")?.focus();
	};
	document.addEventListener("htmx:after:swap", () => reveal(document));
	if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
	else start();
})();
