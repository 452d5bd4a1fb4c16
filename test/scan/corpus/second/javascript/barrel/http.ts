import axios from "axios";

const http = axios.create();
http.defaults.baseURL = "https://api.example.com/api/v1";
export default http;
