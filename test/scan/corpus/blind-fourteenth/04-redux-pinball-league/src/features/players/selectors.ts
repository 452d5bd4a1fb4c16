import { createSelector } from '@reduxjs/toolkit'
import type { RootState } from '../../store'
import { playerSelectors } from './playersSlice'

export const selectHumans = createSelector(playerSelectors.selectAll, (players) =>
  players.filter((p) => p.human_checkmark && !p.calculating_score),
)

export const selectSelected = (state: RootState) =>
  state.players.selectedId === null ? undefined : state.players.entities[state.players.selectedId]

// league division by reputation, high scores of the machines live in matchesSlice
export const selectDivisions = createSelector(selectHumans, (players) => ({
  gold: players.filter((p) => p.score >= 100),
  silver: players.filter(({ score }) => score >= 50 && score < 100),
  bronze: players.filter((p) => p.score < 50),
}))
