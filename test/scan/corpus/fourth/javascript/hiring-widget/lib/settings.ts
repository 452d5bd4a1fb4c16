type Service = { root: string; key: string };

const env = process.env;

export const settings: { talent: Service; ats: Service } = {
  talent: {
    root: env.TALENT_URL || "https://talent.example.io",
    key: env.TALENT_KEY || "",
  },
  ats: {
    root: env.ATS_URL || "https://ats.example.io/api/v1",
    key: env.ATS_KEY || "",
  },
};

export const isProduction = env.NODE_ENV === "production";
