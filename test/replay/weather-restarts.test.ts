import { testWeather } from "./weather.ts";

testWeather("restarts");
