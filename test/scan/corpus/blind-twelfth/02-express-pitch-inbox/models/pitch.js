const mongoose = require('mongoose');

const FounderSchema = new mongoose.Schema(
  {
    talentId: Number,
    name: String,
    score: { type: Number, default: 0 },
    human: Boolean,
    city: String,
    socials: [{ network: String, handle: String, followers: Number, url: String }],
    badges: [{ name: String, category: String, value: String }],
    githubRepos: Number,
    enrichedAt: Date,
  },
  { _id: false }
);

const PitchSchema = new mongoose.Schema(
  {
    title: { type: String, required: true },
    deck: String,
    email: { type: String, required: true, lowercase: true },
    wallet: { type: String, required: true, lowercase: true, index: true },
    github: String,
    status: { type: String, enum: ['new', 'enriched', 'shortlisted', 'rejected'], default: 'new' },
    founder: FounderSchema,
  },
  { timestamps: true }
);

module.exports = mongoose.model('Pitch', PitchSchema);
