// The dialog to acknowledge, mute or unmute, and to set a maintenance window. Each needs a reason and the token; a mute needs
// an end.
import { byId, fromFieldValue, h, toFieldValue, zoneName } from "./dom.js";
import { hasToken, post, setToken } from "./state.js";

const dialog = byId("dialog");
const close = () => dialog.close();
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) close();
});

const titles = { ack: "Acknowledge", mute: "Mute", unmute: "Unmute" };
const hints = {
  ack: "v1watch tells the channels and stops the reminders. It still sends changes and the RESOLVED.",
  mute: "v1watch sends no reminders and no changes until then, but it sends the RESOLVED. Checks go on, and the incident stays on the dashboard.",
  unmute: "v1watch sends messages again.",
};
const hours = [
  ["1", "1 hour"],
  ["4", "4 hours"],
  ["8", "8 hours"],
  ["24", "1 day"],
  ["72", "3 days"],
  ["168", "7 days"],
  ["custom", "until a date and time"],
];
const hourMs = 3_600_000;

const field = (text, input) => h("label", { class: "field" }, h("span", {}, text), input);

export const tokenField = () =>
  h(
    "label",
    { class: "field", id: "token-row", hidden: hasToken() },
    h("span", {}, "Token (printed by v1watch up)"),
    h("input", {
      id: "token",
      type: "password",
      autocomplete: "off",
      onchange: (event) => setToken(event.target.value),
    }),
  );

/** An incident can be muted alone, or with every other incident of its rule, endpoint or finding. */
function subjectsOf({ id, rule, endpoints, facts }) {
  return [
    [id, "this incident"],
    [rule, `the rule ${rule}`],
    ...endpoints.map((endpoint) => [endpoint, `everything on ${endpoint}`]),
    ...(facts.findings ?? []).map((finding) => [finding.id, `the finding ${finding.path}`]),
  ];
}

/** `requestOf`: what is decided, by the button that was pressed. */
function openDialog({ title, hint, fields, buttons, requestOf }) {
  const error = h("p", { class: "error", role: "alert" });
  const reason = h("input", { id: "reason", required: true, maxlength: "200", autocomplete: "off" });
  const submit = async (event) => {
    event.preventDefault();
    const request = { ...requestOf(event.submitter?.id), reason: reason.value };
    const problem = await post("/api/decisions", request);
    error.textContent = problem;
    byId("token-row").hidden = hasToken();
    if (problem) return;
    close();
    document.dispatchEvent(new Event("v1watch:refresh"));
  };
  dialog.replaceChildren(
    h(
      "form",
      { onsubmit: submit },
      h("h2", { id: "dialog-title" }, title),
      h("p", { class: "secondary" }, hint),
      fields,
      field("Reason", reason),
      tokenField(),
      error,
      h("div", { class: "actions" }, buttons, h("button", { type: "button", onclick: close }, "Cancel")),
    ),
  );
  dialog.showModal();
  reason.focus();
}

const timeInput = (id, ms, attributes = {}) =>
  h("input", { id, type: "datetime-local", required: true, value: toFieldValue(ms), ...attributes });

function decide(kind, incident) {
  const subject = h(
    "select",
    { id: "subject" },
    subjectsOf(incident).map(([value, text]) => h("option", { value }, text)),
  );
  const end = h(
    "select",
    { id: "end" },
    hours.map(([value, text]) => h("option", { value }, text)),
  );
  const until = timeInput("until", Date.now() + 8 * hourMs, {
    disabled: true,
    min: toFieldValue(Date.now()),
  });
  const untilField = field(`Until (${zoneName()})`, until);
  untilField.hidden = true;
  // A disabled field is not required, so the form can be sent without it.
  end.addEventListener("change", () => {
    untilField.hidden = end.value !== "custom";
    until.disabled = untilField.hidden;
  });
  const readEnd = () =>
    end.value === "custom"
      ? fromFieldValue(until.value)
      : new Date(Date.now() + Number(end.value) * hourMs).toISOString();
  openDialog({
    title: `${titles[kind]}: ${incident.title}`,
    hint: hints[kind],
    fields: kind === "mute" && [field("What", subject), field("For", end), untilField],
    buttons: h("button", { type: "submit", class: "primary" }, titles[kind]),
    requestOf: () => ({
      kind,
      subject: kind === "mute" ? subject.value : kind === "unmute" ? incident.mutedBy : incident.id,
      until: kind === "mute" ? readEnd() : undefined,
    }),
  });
}

/** The buttons for decisions about an incident; `place` is where they are on the dashboard. */
export function decisionButtons(incident, place) {
  const { id, isAcknowledged, mutedBy } = incident;
  const button = (kind, text) =>
    h(
      "button",
      { type: "button", "data-key": `${place} ${kind} ${id}`, onclick: () => decide(kind, incident) },
      text,
    );
  return [
    !isAcknowledged && button("ack", "Ack"),
    mutedBy === undefined ? button("mute", "Mute") : button("unmute", "Unmute"),
  ];
}

/** A window that happens once, now or later; it can be stopped early. */
export function planMaintenance() {
  const start = timeInput("window-start", Date.now());
  const end = timeInput("window-end", Date.now() + 4 * hourMs);
  openDialog({
    title: "Maintenance window",
    hint: "During this window v1watch sends no alerts, except RESOLVED for incidents announced before it. Checks go on.",
    fields: [field(`From (${zoneName()})`, start), field(`Until (${zoneName()})`, end)],
    buttons: [
      h("button", { type: "submit", class: "primary" }, "Set"),
      h("button", { type: "submit", id: "end-window" }, "Stop"),
    ],
    requestOf: (button) =>
      button === "end-window"
        ? { kind: "unmute", subject: "everything" }
        : {
            kind: "mute",
            subject: "everything",
            from: fromFieldValue(start.value),
            until: fromFieldValue(end.value),
          },
  });
}
