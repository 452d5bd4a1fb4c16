require('dotenv').config();
const express = require('express');
const helmet = require('helmet');
const morgan = require('morgan');
const axios = require('axios');
const fastq = require('fastq');
const mongoose = require('mongoose');
const { Resend } = require('resend');
const Pitch = require('./models/pitch');

const app = express();
app.use(helmet());
app.use(morgan('tiny'));
app.use(express.json());

const resend = new Resend(process.env.RESEND_KEY);

const talent = axios.create({
  baseURL: process.env.TALENT_BASE_URL,
  timeout: 8000,
  headers: { 'X-API-KEY': process.env.TALENT_KEY },
});

const github = axios.create({
  baseURL: 'https://api.github.com',
  headers: { Authorization: `Bearer ${process.env.GITHUB_TOKEN}` },
});

const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

/* ---------- enrichment ---------- */

async function fetchFounder(wallet) {
  const { data } = await talent.get('/passports/' + wallet);
  return data.passport;
}

async function fetchBadges(id) {
  try {
    const { data } = await talent.get('/passport_credentials', { params: { passport_id: id } });
    return data.passport_credentials
      .filter((c) => c.earned_at)
      .map(({ name, category, value }) => ({ name, category, value }));
  } catch (err) {
    console.warn('badges failed for', id, err.message);
    return [];
  }
}

async function countRepos(login) {
  if (!login) return 0;
  const { data } = await github.get('/users/' + login);
  return data.public_repos;
}

function toSocial(s) {
  return {
    network: s.source,
    handle: s.profile_name,
    followers: parseInt(s.follower_count, 10) || 0,
    url: s.profile_url,
  };
}

async function enrich(job) {
  const pitch = await Pitch.findById(job.id);
  if (!pitch) return;

  let passport;
  try {
    passport = await fetchFounder(pitch.wallet);
  } catch (err) {
    if (err.response && err.response.status === 429 && job.tries < 3) {
      await sleep(10000);
      return queue.push({ id: job.id, tries: job.tries + 1 });
    }
    console.error('no passport for', pitch.wallet, err.message);
    pitch.founder = { score: 0, human: false, socials: [], badges: [] };
    pitch.status = 'enriched';
    return pitch.save();
  }

  if (passport.calculating_score) {
    await sleep(5000);
    return queue.push(job);
  }

  pitch.founder = {
    talentId: passport.passport_id,
    name: passport.passport_profile.display_name || pitch.email.split('@')[0],
    score: passport.score,
    human: passport.human_checkmark,
    city: passport.passport_profile.location,
    socials: (passport.passport_socials || []).map(toSocial),
    badges: await fetchBadges(passport.passport_id),
    githubRepos: await countRepos(pitch.github).catch(() => 0),
    enrichedAt: new Date(),
  };
  pitch.status = pitch.founder.score >= 60 && pitch.founder.human ? 'shortlisted' : 'enriched';
  await pitch.save();

  if (pitch.status === 'shortlisted') {
    await resend.emails.send({
      from: 'pitches@fund.example',
      to: 'partners@fund.example',
      subject: `Shortlisted: ${pitch.title}`,
      text: `${pitch.founder.name} (${pitch.founder.score}) ${pitch.deck}`,
    });
  }
}

const queue = fastq.promise(enrich, 2);

/* ---------- http ---------- */

app.post('/pitches', async (req, res) => {
  const { title, deck, email, wallet, github: login } = req.body;
  if (!/^0x[0-9a-fA-F]{40}$/.test(wallet || '')) return res.status(400).json({ error: 'bad wallet' });
  const pitch = await Pitch.create({ title, deck, email, wallet, github: login });
  queue.push({ id: pitch._id, tries: 0 }).catch((e) => console.error(e));
  res.status(201).json({ id: pitch._id });
});

app.get('/pitches', async (req, res) => {
  const pitches = await Pitch.find(req.query.status ? { status: req.query.status } : {})
    .sort({ 'founder.score': -1 })
    .limit(100)
    .lean();
  res.json(pitches.map((p) => ({ id: p._id, title: p.title, score: p.founder?.score ?? 0, status: p.status })));
});

app.get('/founders', (req, res, next) => {
  talent
    .get('/passports', { params: { keyword: req.query.q } })
    .then((r) =>
      res.json({
        total: r.data.pagination.total,
        items: r.data.passports.map((p) => ({ wallet: p.main_wallet, name: p.passport_profile.display_name })),
      })
    )
    .catch(next);
});

app.use((err, req, res, next) => {
  console.error(err);
  res.status(err.response ? 502 : 500).json({ error: err.message });
});

mongoose.connect(process.env.MONGO_URL).then(() => {
  app.listen(process.env.PORT || 4000, () => console.log('up'));
});
