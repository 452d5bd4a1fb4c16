// The dialog of a maintenance window that comes once: now or planned, and ended before its time.
import { tokenField } from "./decide.js";
import { byId, fromFieldValue, h, toFieldValue, zoneName } from "./dom.js";
import { hasToken, post } from "./state.js";

const dialog = byId("dialog");
const hourMs = 3_600_000;
const field = (text, input) => h("label", { class: "field" }, h("span", {}, text), input);
const time = (id, ms) => h("input", { id, type: "datetime-local", required: true, value: toFieldValue(ms) });

export function planMaintenance() {
  const start = time("window-start", Date.now());
  const end = time("window-end", Date.now() + 4 * hourMs);
  const reason = h("input", { id: "reason", required: true, maxlength: "200", autocomplete: "off" });
  const error = h("p", { class: "error", role: "alert" });
  const send = async (kind) => {
    const problem = await post("/api/decisions", {
      kind,
      subject: "everything",
      reason: reason.value,
      from: kind === "mute" ? fromFieldValue(start.value) : undefined,
      until: kind === "mute" ? fromFieldValue(end.value) : undefined,
    });
    error.textContent = problem;
    byId("token-row").hidden = hasToken();
    if (problem) return;
    dialog.close();
    document.dispatchEvent(new Event("v1watch:refresh"));
  };
  const submit = (event) => {
    event.preventDefault();
    send(event.submitter?.id === "end-window" ? "unmute" : "mute");
  };
  dialog.replaceChildren(
    h(
      "form",
      { onsubmit: submit },
      h("h2", { id: "dialog-title" }, "Maintenance window"),
      h(
        "p",
        { class: "secondary" },
        "Nothing is announced in this time but the end of what was announced before. Checks go on.",
      ),
      field(`From (${zoneName()})`, start),
      field(`Until (${zoneName()})`, end),
      field("Reason", reason),
      tokenField(),
      error,
      h(
        "div",
        { class: "actions" },
        h("button", { type: "submit", class: "primary" }, "Set"),
        h("button", { type: "submit", id: "end-window" }, "End or call off"),
        h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
      ),
    ),
  );
  dialog.showModal();
  reason.focus();
}
