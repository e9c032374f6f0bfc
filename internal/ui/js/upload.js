// Files are sent ahead of their form, in pieces, and go on where a broken line left them (tus 1.0). Without scripts the
// form sends them.
"use strict";
(() => {
	const piece = 2 << 20, mostTries = 12;
	const base64 = (text) => btoa(Array.from(new TextEncoder().encode(text), (c) => String.fromCharCode(c)).join(""));
	const pause = (ms) => new Promise((done) => {
		setTimeout(done, ms);
		addEventListener("online", done, { once: true });
	});

	const ahead = (box) => {
		const input = box.querySelector("input[type=file]"), form = input.form, texts = box.dataset;
		const said = box.querySelector("[role=status]"), list = box.querySelector(".files") ?? document.createElement("ul");
		list.className = "files";
		if (!list.parentNode) input.after(list);
		const say = (text, name) => { said.textContent = text.replace("{name}", name); };
		let queue = Promise.resolve(), running = 0;

		const ask = (job, method, url, headers, body) => new Promise((done) => {
			const x = job.asked = new XMLHttpRequest();
			x.open(method, url);
			for (const [name, value] of Object.entries({ "Tus-Resumable": "1.0.0", ...headers })) x.setRequestHeader(name, value);
			if (body) x.upload.onprogress = (event) => show(job, job.at + event.loaded);
			x.onloadend = () => done(x);
			x.send(body);
		});
		const show = (job, bytes) => {
			const percent = job.file.size ? Math.min(Math.floor(bytes * 100 / job.file.size), 100) : 100;
			job.bar.value = percent;
			job.meta.textContent = `${percent} %`;
		};
		const fail = (job, why, again) => {
			job.failed = true;
			job.bar.hidden = true;
			job.item.append(job.error);
			job.error.querySelector("[data-why]").textContent = why;
			job.error.querySelector("[data-again]").hidden = !again;
			say(`${job.file.name}: ${why}`, "");
		};

		// The next thing to ask for one file; the answer's status says what comes then.
		const step = (job) => {
			const { file, url, at } = job;
			if (!url) {
				const about = { of: form.querySelector("input[name=of]").value, field: input.name, filename: file.name, filetype: file.type };
				const pairs = Object.entries(about).map(([name, value]) => `${name} ${base64(value)}`);
				return ask(job, "POST", texts.ahead, { "Upload-Length": file.size, "Upload-Metadata": pairs.join(",") });
			}
			if (at === undefined) return ask(job, "HEAD", url, {});
			const headers = { "Upload-Offset": at, "Content-Type": "application/offset+octet-stream" };
			return ask(job, "PATCH", url, headers, file.slice(at, at + piece));
		};
		const run = async (job) => {
			for (let tries = 0; !job.gone;) {
				const begins = !job.url, x = await step(job);
				if (job.gone) return;
				if (x.status >= 200 && x.status < 300) {
					tries = 0;
					if (begins) job.url = x.getResponseHeader("Location");
					job.at = begins ? 0 : Number(x.getResponseHeader("Upload-Offset"));
					show(job, job.at);
					if (job.at < job.file.size) continue;
					job.bar.hidden = true;
					return say(texts.sent, job.file.name);
				}
				if (x.status === 404 && !begins) job.url = "";
				else if (x.status && x.status !== 409 && x.status < 500) return fail(job, x.responseText || texts.failed, true);
				job.at = undefined;
				if (++tries > mostTries) return fail(job, texts.failed, true);
				if (x.status === 404) continue;
				job.meta.textContent = texts.broken;
				await pause(Math.min(250 * 2 ** tries, 15000));
			}
		};
		const start = (job) => {
			job.failed = false;
			job.bar.hidden = false;
			job.error.remove();
			running++;
			queue = queue.then(() => run(job)).catch(() => fail(job, texts.failed, true)).finally(() => running--);
		};

		const jobs = new Set();
		const cancel = (job) => {
			job.gone = true;
			jobs.delete(job);
			job.asked?.abort();
			if (job.url) ask({}, "DELETE", job.url, {});
			job.item.remove();
		};
		const add = (file) => {
			const item = box.querySelector("template").content.firstElementChild.cloneNode(true);
			const find = (name) => item.querySelector(name);
			const job = { file, item, bar: find("progress"), error: find(".error"), meta: find("[data-meta]") };
			find("[data-name]").textContent = file.name;
			job.bar.setAttribute("aria-label", file.name);
			// What began before the page was left goes on.
			for (const old of list.querySelectorAll("[data-go-on]")) {
				if (job.url || old.dataset.name !== file.name || Number(old.dataset.size) !== file.size) continue;
				job.url = old.dataset.goOn;
				old.remove();
			}
			find("[data-cancel]").addEventListener("click", () => {
				cancel(job);
				say(texts.removed, file.name);
				input.focus();
			});
			find("[data-again]").addEventListener("click", () => start(job));
			list.append(item);
			if (file.size === 0) return fail(job, texts.empty, false);
			if (file.size > texts.most) return fail(job, texts.large, false);
			jobs.add(job);
			start(job);
		};
		input.addEventListener("change", () => {
			const files = [...input.files];
			input.value = "";
			if (!input.multiple) for (const job of jobs) cancel(job);
			for (const file of files) add(file);
		});

		// The form waits for its files.
		form.addEventListener("submit", async (event) => {
			if (!running) return;
			event.preventDefault();
			if (form.dataset.waits) return;
			const button = event.submitter, words = button?.querySelector("span"), before = words?.textContent;
			form.dataset.waits = "1";
			if (button?.dataset.busy) words.textContent = button.dataset.busy;
			button?.setAttribute("aria-disabled", "true");
			while (running) await queue;
			delete form.dataset.waits;
			button?.removeAttribute("aria-disabled");
			if (words) words.textContent = before;
			if (![...jobs].some((job) => job.failed)) form.requestSubmit(button);
		});
	};
	for (const box of document.querySelectorAll("[data-ahead]")) ahead(box);
})();
