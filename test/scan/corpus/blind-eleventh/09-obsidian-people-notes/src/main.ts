import { type Editor, FuzzySuggestModal, Notice, Plugin, TFile } from 'obsidian'
import { applyFrontmatter, replaceBlock, socialsTable } from './note'
import { type Person, Reputation, resolveEns } from './reputation'
import { DEFAULT_SETTINGS, type PeopleNotesSettings, PeopleNotesSettingTab } from './settings'

class PersonModal extends FuzzySuggestModal<Person> {
  constructor(private plugin: PeopleNotesPlugin, private people: Person[]) {
    super(plugin.app)
  }
  getItems = () => this.people
  getItemText = (p: Person) => `${p.passport_profile.display_name ?? p.main_wallet} (${p.score})`
  onChooseItem = (p: Person) => void this.plugin.createNote(p)
}

export default class PeopleNotesPlugin extends Plugin {
  settings!: PeopleNotesSettings
  reputation!: Reputation

  async onload() {
    this.settings = { ...DEFAULT_SETTINGS, ...(await this.loadData()) }
    this.reputation = new Reputation(this.settings)
    this.addSettingTab(new PeopleNotesSettingTab(this.app, this))
    this.addCommand({
      id: 'find-person',
      name: 'Create a note for the selected name',
      editorCallback: async (editor: Editor) => {
        new PersonModal(this, await this.reputation.suggest(editor.getSelection())).open()
      },
    })
    this.addCommand({ id: 'refresh', name: 'Refresh all people', callback: () => this.refreshAll() })
    this.registerInterval(window.setInterval(() => void this.refreshAll(), 24 * 3600 * 1000))
  }

  async createNote({ main_wallet, passport_profile: { display_name = main_wallet, bio } }: Person) {
    const file = await this.app.vault.create(`${this.settings.folder}/${display_name}.md`, `---\nwallet: ${main_wallet}\n---\n${bio ?? ''}\n`)
    await this.refresh(file)
  }

  async refreshAll() {
    const files = this.app.vault.getMarkdownFiles().filter((f) => f.path.startsWith(`${this.settings.folder}/`))
    for (const file of files) await this.refresh(file)
    new Notice(`${files.length} people refreshed`)
  }

  private async refresh(file: TFile) {
    const fm = this.app.metadataCache.getFileCache(file)?.frontmatter
    const wallet = fm?.wallet ?? (fm?.ens && (await resolveEns(this.settings, fm.ens)))
    if (!wallet) return
    const person = await this.reputation.person(wallet)
    if (!person) return
    await this.app.fileManager.processFrontMatter(file, (front) => applyFrontmatter(front, person))
    const milestones = await this.reputation.milestones(person.passport_id)
    const lines = milestones.filter((m) => m.earned_at).map((m) => `- ${m.earned_at}: ${m.name}`)
    await this.app.vault.process(file, (text) =>
      replaceBlock(replaceBlock(text, 'socials', socialsTable(person)), 'milestones', lines.join('\n')),
    )
  }
}
