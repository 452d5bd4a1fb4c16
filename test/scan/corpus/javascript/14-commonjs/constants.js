const ROOT = "https://api.example.com";
exports.passportUrl = (id) => `${ROOT}/api/v1/passports/${id}`;
exports.LIST_URL = ROOT + "/api/v1/passports";
