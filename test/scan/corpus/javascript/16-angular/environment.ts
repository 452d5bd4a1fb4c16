export const environment = { production: false, apiUrl: "https://api.example.com/api/v1" };
