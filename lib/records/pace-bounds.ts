// How long a pace may grow; apart from its schema, so that the planner needs no zod.

export const maxRecent = 200;
export const maxMonths = 12;
