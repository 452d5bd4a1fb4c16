import { type App, PluginSettingTab, Setting } from 'obsidian'
import type PeopleNotesPlugin from './main'

export interface PeopleNotesSettings {
  apiUrl: string
  apiKey: string
  folder: string
  ensResolver: string
}

export const DEFAULT_SETTINGS: PeopleNotesSettings = {
  apiUrl: 'https://api.talentprotocol.com/api/v1',
  apiKey: '',
  folder: 'People',
  ensResolver: 'https://api.ensdata.net',
}

export class PeopleNotesSettingTab extends PluginSettingTab {
  constructor(app: App, private plugin: PeopleNotesPlugin) {
    super(app, plugin)
  }

  display() {
    this.containerEl.empty()
    for (const key of ['apiUrl', 'apiKey', 'folder', 'ensResolver'] as const) {
      new Setting(this.containerEl).setName(key).addText((text) =>
        text.setValue(this.plugin.settings[key]).onChange(async (value) => {
          this.plugin.settings[key] = value.trim()
          await this.plugin.saveData(this.plugin.settings)
        }),
      )
    }
  }
}
