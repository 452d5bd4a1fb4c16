require('dotenv').config();
const path = require('path');
const express = require('express');
const ringers = require('./routes/ringers');
const { forecast } = require('./services/weather');

const app = express();
app.set('view engine', 'ejs');
app.set('views', path.join(__dirname, 'views'));
app.use(express.urlencoded({ extended: false }));
app.use(express.static('public'));

app.get('/', async (req, res) => {
  const weather = await forecast(process.env.TOWER_LAT, process.env.TOWER_LON);
  res.render('home', { weather });
});
app.use('/ringers', ringers);

app.use((err, req, res, next) => {
  console.error(err.message);
  if (res.headersSent) return next(err);
  res.status(err.status === 404 ? 404 : 500).render('error', { message: err.message });
});

app.listen(process.env.PORT || 3000, () => console.log('Tower is up'));
