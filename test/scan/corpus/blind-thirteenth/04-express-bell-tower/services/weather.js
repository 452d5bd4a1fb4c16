const request = require('superagent');

exports.forecast = async function forecast(latitude, longitude) {
  try {
    const { body } = await request
      .get('https://api.open-meteo.com/v1/forecast')
      .query({ latitude, longitude, current: 'wind_speed_10m' });
    return body.current;
  } catch (e) {
    return null;
  }
};
