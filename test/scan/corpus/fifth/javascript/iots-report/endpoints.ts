const HOSTS = {
  people: process.env.PEOPLE_HOST ?? "https://rep.example.org",
  surveys: "https://surveys.example.com",
};

// see also GET /api/v1/passport_credentials, which the report does not need
export const endpoints = {
  people: {
    list: `${HOSTS.people}/api/v1/passports`,
  },
  surveys: {
    list: `${HOSTS.surveys}/api/v1/surveys`,
    one: (id: string) => `${HOSTS.surveys}/api/v1/surveys/${id}`,
  },
} as const;
