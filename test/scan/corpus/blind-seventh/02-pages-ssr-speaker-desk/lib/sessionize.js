// The programme comes from Sessionize; its speakers carry their wallet in a custom question.
export async function getProgramme(eventId) {
  const r = await fetch(`https://sessionize.com/api/v2/${eventId}/view/Speakers`);
  if (!r.ok) return [];
  const speakers = await r.json();
  return speakers.map((s) => ({
    id: s.id,
    fullName: s.fullName,
    bio: s.bio,
    tagLine: s.tagLine,
    photo: s.profilePicture,
    wallet: s.questionAnswers.find((q) => q.question === 'Wallet')?.answer ?? null,
    sessions: s.sessions.map((x) => x.name),
  }));
}
