import { testWeather } from "./weather.ts";

testWeather("rest");
