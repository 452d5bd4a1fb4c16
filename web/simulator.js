// Fault injection into the simulated V1: single effects on one endpoint or all, and scenarios.
import { tokenField } from "./decide.js";
import { byId, empty, h, update } from "./dom.js";
import { hasToken, post } from "./state.js";

let runningScenario;

export function leave() {
  runningScenario = undefined;
}

export function render(container, { summary }) {
  const { simulation, cards } = summary;
  if (!simulation) {
    update(container, "none", () => [
      h("h2", {}, "Simulator"),
      empty("The simulator runs only if no base URL of V1 is set."),
    ]);
    return;
  }
  const { effects, scenarios, scenario, injected } = simulation;
  if (!container.firstChild)
    container.append(
      h("div"),
      h("p", { id: "panel-message", role: "status" }),
      h("div", { id: "fault-status" }),
    );
  const [panel, , status] = container.children;
  update(panel, [effects, scenarios], () =>
    buildPanel(
      simulation,
      cards.map(({ endpoint }) => endpoint),
    ),
  );
  // Set only when the running scenario changes, so that a selection that is not started yet is kept.
  if (scenario !== runningScenario) byId("scenario").value = runningScenario = scenario;
  update(status, [scenario, injected], () => [
    h("h3", {}, "Active faults"),
    injected.length === 0 && scenario === "healthy"
      ? empty("No faults injected.")
      : h(
          "ul",
          {},
          scenario !== "healthy" && h("li", {}, `Scenario ${scenario}`),
          injected.map((text) => h("li", {}, text)),
        ),
  ]);
}

function buildPanel({ effects, scenarios }, endpoints) {
  const show = (text, isError) => {
    byId("panel-message").textContent = text;
    byId("panel-message").className = isError ? "error" : "";
  };
  const submit = (path, body, done) => async (event) => {
    event.preventDefault();
    const sent = body();
    const error = await post(path, sent);
    byId("token-row").hidden = hasToken();
    show(error ? `Refused: ${error}.` : done(sent), error !== "");
    document.dispatchEvent(new Event("v1watch:refresh"));
  };
  const value = (id) => byId(id).value;
  const refusedOn = () => effects.find(({ kind }) => kind === value("effect"))?.refused ?? {};
  // An endpoint that the effect cannot change is named with the reason and cannot be chosen.
  const limitEndpoints = () => {
    const refused = refusedOn();
    for (const option of byId("effect-endpoint").options)
      option.disabled = refused[option.value] !== undefined;
    if (refused[value("effect-endpoint")] !== undefined) byId("effect-endpoint").value = "";
    byId("effect-limits").textContent = Object.entries(refused)
      .map(([endpoint, reason]) => `Not on ${endpoint}: ${reason}.`)
      .join(" ");
  };
  const injectForm = h(
    "form",
    {
      class: "filter",
      onsubmit: submit(
        "/api/simulation/inject",
        () => ({
          kind: value("effect"),
          ...(value("effect-endpoint") && { endpoint: value("effect-endpoint") }),
        }),
        ({ kind, endpoint }) => `Injected ${kind} on ${endpoint ?? "all endpoints that it applies to"}.`,
      ),
    },
    h(
      "label",
      {},
      "Effect ",
      h(
        "select",
        { id: "effect", onchange: limitEndpoints },
        effects.map(({ kind, summary }) => h("option", { value: kind }, `${kind}: ${summary}`)),
      ),
    ),
    h(
      "label",
      {},
      "Endpoint ",
      h(
        "select",
        { id: "effect-endpoint" },
        h("option", { value: "" }, "all endpoints"),
        endpoints.map((name) => h("option", { value: name }, name)),
      ),
    ),
    h("button", { type: "submit", id: "inject", class: "primary" }, "Inject"),
  );
  return [
    h("h2", {}, "Fault injection (simulator)"),
    injectForm,
    h("p", { id: "effect-limits", class: "secondary" }),
    h(
      "form",
      {
        class: "filter",
        onsubmit: submit(
          "/api/simulation/scenario",
          () => ({ name: value("scenario") }),
          ({ name }) => `Started ${name}.`,
        ),
      },
      h(
        "label",
        {},
        "Scenario ",
        h(
          "select",
          { id: "scenario" },
          scenarios.map(({ name, summary }) => h("option", { value: name }, `${name}: ${summary}`)),
        ),
      ),
      h("button", { type: "submit", id: "start-scenario" }, "Start"),
    ),
    h(
      "p",
      {},
      h(
        "button",
        {
          type: "button",
          id: "clear-faults",
          onclick: submit(
            "/api/simulation/clear",
            () => ({}),
            () => "All faults cleared.",
          ),
        },
        "Clear all faults",
      ),
    ),
    tokenField(),
  ];
}
