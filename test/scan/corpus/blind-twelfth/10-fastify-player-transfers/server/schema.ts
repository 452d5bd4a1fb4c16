import { Type, type Static } from '@sinclair/typebox'

export const Spell = Type.Object({
  club: Type.String(),
  country: Type.String(),
  category: Type.Union([Type.Literal('amateur'), Type.Literal('professional')]),
  from: Type.String({ format: 'date' }),
  to: Type.Union([Type.String({ format: 'date' }), Type.Null()]),
})

export const PlayerPassport = Type.Object({
  passport_id: Type.Integer(),
  display_name: Type.String(),
  location: Type.String(),
  score: Type.Number({ description: 'scouting score, 0 to 10' }),
  last_calculated_at: Type.String({ format: 'date-time' }),
  spells: Type.Array(Spell),
})

export const CoachCredential = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  earned_at: Type.String({ format: 'date' }),
})

export type Spell = Static<typeof Spell>
export type PlayerPassport = Static<typeof PlayerPassport>
export type CoachCredential = Static<typeof CoachCredential>
