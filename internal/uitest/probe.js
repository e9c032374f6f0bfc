// What the harness asks of a page. It is put into the page from outside, so that the policy of the page stays as it is.
window.probe = (() => {
	const seen = (el) => el.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) && !el.closest("[inert]");
	const name = (el) => {
		const words = (el.getAttribute("aria-label") || el.textContent || el.name || el.id || "").trim().replace(/\s+/g, " ").slice(0, 40);
		return `<${el.tagName.toLowerCase()}${el.id ? " #" + el.id : ""}${el.getAttribute("class") ? " ." + el.getAttribute("class") : ""}> ${words}`;
	};
	const actions = () => [...document.querySelectorAll("a[href], button, input, select, textarea, summary, iframe, [tabindex='0']")].filter((el) => {
		if (el.disabled || el.type === "hidden" || !seen(el) || el.tabIndex < 0) return false;
		if (el.type !== "radio") return true;
		const group = [...document.querySelectorAll(`input[type=radio][name="${CSS.escape(el.name)}"]`)].filter((r) => !r.disabled && r.form === el.form);
		return el === (group.find((r) => r.checked) || group[0]);
	});
	const sentence = (el) => el.tagName === "A" && getComputedStyle(el).display === "inline" &&
		[...el.parentElement.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.textContent.trim());
	let grounds = new WeakMap();
	const shown = new Map(); // an element of each fingerprint
	const number = (text) => { // 53 bits
		let a = 0xdeadbeef, b = 0x41c6ce57;
		for (let i = 0; i < text.length; i++) {
			a = Math.imul(a ^ text.charCodeAt(i), 2654435761);
			b = Math.imul(b ^ text.charCodeAt(i), 1597334677);
		}
		a ^= b >>> 15;
		return (b >>> 11) * 4294967296 + (a >>> 0);
	};
	// What lies below the words of an element: its own colour and those of all around it. What is moved lies where its class says.
	const ground = (el) => {
		if (!el) return 0;
		let g = grounds.get(el);
		if (g === undefined) {
			const s = getComputedStyle(el), below = ground(el.parentElement);
			const clear = s.backgroundColor === "rgba(0, 0, 0, 0)" && s.backgroundImage === "none" && s.opacity === "1" && s.position === "static";
			g = clear ? below : number([below, s.backgroundColor, s.backgroundImage, s.opacity, s.position === "static" ? "" : el.className].join());
			grounds.set(el, g);
		}
		return g;
	};
	// A number for all that the contrast of an element depends on.
	const fingerprint = (el) => {
		const s = getComputedStyle(el);
		return number([ground(el), s.color, s.fontSize, s.fontWeight, s.textShadow, el.disabled || el.control?.disabled].join());
	};
	const reached = new Set();
	const faults = [];
	let steps = 0, started = false;
	const look = (el) => {
		steps++;
		if (reached.has(el)) return;
		reached.add(el);
		if (el.tagName === "IFRAME" || el === document.body) return;
		const style = getComputedStyle(el);
		if ((style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2) && style.boxShadow === "none") faults.push(`focus cannot be seen: ${name(el)}`);
		const bare = () => {
			const whole = el.getBoundingClientRect(); // of what is larger than the window, the part that is in it counts
			const left = Math.max(whole.left, 0), top = Math.max(whole.top, 0);
			const box = { left, top, width: Math.min(whole.right, innerWidth) - left, height: Math.min(whole.bottom, innerHeight) - top };
			if (box.width <= 0 || box.height <= 0) return false;
			return [[.5, .5], [.1, .5], [.9, .5], [.5, .1], [.5, .9]].some(([x, y]) => {
				const top = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
				return top && (top === el || el.contains(top) || top.contains(el) || el.labels && [...el.labels].some((l) => l.contains(top)));
			});
		};
		if (bare()) return;
		el.scrollIntoView({ block: "nearest", inline: "nearest" }); // which the browser does after this event
		if (!bare()) faults.push(`focus is covered or outside of the window: ${name(el)}`);
	};
	return {
		// The words of the page, without what only scripts make useful.
		text() {
			const words = [];
			const walk = (el) => {
				for (const child of el.childNodes) {
					if (child.nodeType === Node.TEXT_NODE) words.push(child.textContent);
					else if (child.nodeType === Node.ELEMENT_NODE && !child.matches("[data-enhanced], [role=status], script, time[data-local]")) walk(child);
				}
			};
			walk(document.getElementById("main") || document.body);
			return words.join(" ").replace(/\s+/g, " ").trim();
		},
		// Everything that people read or hear.
		said() {
			const attributes = [...document.querySelectorAll("[aria-label], [title], [placeholder], [alt], [data-l]")]
				.flatMap((el) => ["aria-label", "title", "placeholder", "alt", "data-l"].map((a) => el.getAttribute(a)).filter(Boolean));
			return [document.title, document.body.textContent, ...attributes].join("\n");
		},
		outline() {
			return { title: document.title, headings: document.querySelectorAll("h1").length, lang: document.documentElement.lang, dir: document.documentElement.dir, main: document.querySelectorAll("main").length };
		},
		wide() {
			const room = document.documentElement.clientWidth, found = [];
			if (document.documentElement.scrollWidth <= room) return found;
			for (const el of document.body.querySelectorAll("*")) {
				const box = el.getBoundingClientRect();
				if (box.width && (box.right > room + 1 || box.left < -1) && seen(el) && !el.closest(".sr, svg")) {
					let scrolls = false;
					for (let up = el.parentElement; up && up !== document.body; up = up.parentElement) scrolls ||= getComputedStyle(up).overflowX !== "visible";
					if (!scrolls) found.push(`${name(el)} from ${Math.round(box.left)} to ${Math.round(box.right)} of ${room}`);
				}
			}
			return [`the page is ${document.documentElement.scrollWidth} wide, the window ${room}`, ...found.slice(0, 5)];
		},
		// Targets that are smaller than they must be; links within sentences may be as high as their line.
		small(least) {
			const found = [];
			for (const el of document.querySelectorAll("a[href], button, summary, select, input:not([type=hidden]), textarea")) {
				if (!seen(el) || el.matches(".skip") || sentence(el)) continue;
				const target = /checkbox|radio/.test(el.type) && el.labels?.[0] || el;
				const box = target.getBoundingClientRect();
				if (Math.min(box.width, box.height) < least - .5) found.push(`${name(el)} is ${Math.round(box.width)} × ${Math.round(box.height)}`);
			}
			return found;
		},
		nameless() {
			const words = (el) => [el.matches("select, textarea") ? "" : el.textContent, el.getAttribute("aria-label"), el.title, el.alt, /submit|button/.test(el.type) ? el.value : ""].join("").trim();
			const named = (el) => [el, ...el.labels || [], ...el.querySelectorAll("img[alt]"), ...(el.getAttribute("aria-labelledby") || "").split(" ").map((id) => document.getElementById(id))].some((e) => e && words(e));
			return actions().filter((el) => el.tagName !== "IFRAME" && !named(el)).map((el) => `no words name ${name(el)}`);
		},
		open() {
			for (const el of document.querySelectorAll("main details:not([data-menu])")) el.open = true;
			return actions().length;
		},
		shut() {
			for (const el of document.querySelectorAll("main details")) el.open = false;
			document.activeElement?.blur();
			scrollTo(0, 0);
		},
		higher: () => document.documentElement.scrollHeight > innerHeight,
		start() {
			if (!started) document.addEventListener("focusin", (event) => look(event.target));
			started = true;
			reached.clear();
			document.activeElement?.blur();
			scrollTo(0, 0);
		},
		steps: () => steps,
		missed: () => actions().filter((el) => !reached.has(el) && el.tagName !== "IFRAME").map((el) => `no key reaches ${name(el)}`),
		faults: () => faults.splice(0),
		drawers: () => [...document.querySelectorAll("[popovertarget]:not([popovertargetaction=hide])")].filter(seen).map((el) => el.getAttribute("popovertarget")),
		hasFrames: () => document.querySelector("iframe") !== null,
		focusOpener(id) { document.querySelector(`[popovertarget="${CSS.escape(id)}"]:not([popovertargetaction=hide])`).focus(); },
		isOpen: (id) => document.getElementById(id).matches(":popover-open"),
		isInside: (id) => document.getElementById(id).contains(document.activeElement),
		hasAxe: () => "axe" in window,
		// The fingerprints of everything with words, and of fields.
		colours() {
			shown.clear();
			grounds = new WeakMap();
			for (const el of document.body.querySelectorAll("*")) {
				const speaks = el.matches("input, select, textarea") || [...el.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.textContent.trim());
				const f = speaks && seen(el) && fingerprint(el);
				if (f && !shown.has(f)) shown.set(f, el);
			}
			return [...shown.keys()];
		},
		// The accessibility checker, on the whole page or on the elements that some fingerprints are of.
		async axe(rules, of) {
			const result = await axe.run(of ? { include: of.map((number) => shown.get(number)) } : document, { resultTypes: ["violations"], iframes: false, preload: false, ...rules });
			return result.violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${v.help}: ${n.target.join(" ")}: ${(n.any[0] || n.all[0] || n.none[0] || {}).message || ""}`));
		},
	};
})();
