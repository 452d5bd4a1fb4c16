import { testWeather } from "./weather.ts";

testWeather("maintenance");
