import { t } from 'i18next'
import { LANGUAGES } from '../../shared/text/languages.ts'
import { ownLanguageName } from '../../shared/text/text-language.ts'
import type { UiState } from '../../shared/contract/stream.ts'
import { askOrToast } from '../store/bridge.ts'
import { languageName } from '../recipe/language-names.ts'
import { placeKeys, PLACES, SHORTCUTS } from '../../shared/presentation/shortcuts.ts'
import { goTo, SETTINGS_SECTIONS } from '../store/view-store.ts'
import { windowActions } from '../store/window-actions.ts'
import { chooseFolder, choosePictures, trySamples } from '../intake/intake-commands.ts'
import type { RecipeChoice } from '../recipe/recipe-choice.ts'
import { SETTLED_STATES } from '../../shared/jobs/job-list.ts'
import { downloadResults, exportJobs, sayRemoved } from '../store/jobs-actions.ts'
import { useJobs } from '../store/jobs-store.ts'
import { chooseTexts } from '../store/import-texts.ts'
import { exportTextsOf, startReview } from '../store/text-work.ts'
import { toast } from '../store/toasts.ts'
import { recipeName } from '../recipe/recipe-name.ts'
import { splitPath } from '../parts/split-path.ts'

/** Settings that a person looks for by their own name, each with the section it stands in. */
const SINGLE = [
  ['key', 'services'],
  ['address', 'services'],
  ['caps', 'spending'],
  ['capPerDay', 'spending'],
  ['capPerMonth', 'spending'],
  ['capPerFolder', 'spending'],
  ['resendUnknown', 'spending'],
  ['requests', 'queue'],
  ['retention', 'queue'],
  ['theme', 'appearance'],
  ['language', 'appearance'],
  ['inbox', 'data'],
  ['diagnostics', 'data'],
] as const

export interface Command {
  id: string
  label: string
  run: () => unknown
  /** Shown in small type after the label; searched too. */
  more?: string
  /** In the notation of `matchesKeys`. */
  keys?: string
}

export type GroupName = 'places' | 'actions' | 'recipes' | 'folders' | 'settings' | 'appearance'

type Rest = Pick<Command, 'more' | 'keys'>
const command = (id: string, label: string, run: Command['run'], rest: Rest = {}) => ({ id, label, run, ...rest })

export function paletteCommands(state: UiState, recipes: readonly RecipeChoice[]): Record<GroupName, Command[]> {
  return {
    places: PLACES.map((place) =>
      command(`place-${place}`, t(`common:places.${place}`), windowActions[place], { keys: placeKeys(place) }),
    ),
    actions: actions(state),
    recipes: recipes.map(({ id, recipe }) =>
      command(`recipe-${id ?? 'default'}`, t('frame:palette.withRecipe', { name: recipeName(recipe.name) }), () =>
        choosePictures(id === null ? null : recipe),
      ),
    ),
    folders: state.folders.map(({ id, path }) =>
      command(`folder-${id}`, splitPath(path).name, () => goTo('folders', { folder: id }), { more: path }),
    ),
    settings: settings(),
    appearance: appearance(state),
  }
}

/** For dialogs that belong to the list. */
const inJobs = (work: () => unknown) => () => {
  goTo('jobs')
  return work()
}

function actions({ settings: { paused }, folders, app: { capabilities } }: UiState): Command[] {
  const [keys] = SHORTCUTS.everywhere.shortcuts
  return [
    command('choose', t('frame:palette.choose'), () => choosePictures()),
    command('choose-folder', t('frame:palette.chooseFolder'), chooseFolder),
    command('samples', t('jobs:trySamples'), trySamples),
    command('pause', t(paused ? 'common:resumeSending' : 'common:pauseSending'), windowActions.pauseOrResume),
    command('clear', t('frame:palette.clear'), clearFinished),
    command('import-texts', t('jobs:importTexts'), inJobs(chooseTexts)),
    ...texts(capabilities.includes('download')),
    ...(folders.length === 0 ? [] : [command('reconcile', t('frame:palette.reconcile'), reconcileAll)]),
    command('shortcuts', t('frame:shortcuts.title'), windowActions.shortcuts, { keys }),
  ]
}

/** Of the selected jobs, or else of all that the list shows. */
function texts(canDownload: boolean): Command[] {
  const { index, selection } = useJobs.getState()
  const ids = selection.ids.size > 0 ? [...selection.ids] : (index?.allIds() ?? [])
  if (ids.length === 0) return []
  const exported = (as: 'csv' | 'json' | 'html' | 'zip') =>
    t('frame:palette.export', { as: t(`jobs:exportAs.${as}`), count: ids.length })
  return [
    command('review', t('frame:shortcuts.review'), inJobs(startReview), { keys: SHORTCUTS.inJobs.review[0] }),
    ...(['csv', 'json', 'html'] as const).map((format) =>
      command(`export-${format}`, exported(format), () => exportJobs(ids, format)),
    ),
    command(
      'export-texts',
      t('jobs:exportTexts'),
      inJobs(() => exportTextsOf(ids)),
    ),
    ...(canDownload ? [command('export-zip', exported('zip'), () => downloadResults(ids))] : []),
  ]
}

function settings(): Command[] {
  return [
    ...SETTINGS_SECTIONS.map((section) =>
      command(`settings-${section}`, t(`settings:sections.${section}`), () => goTo('settings', { section }), {
        more: t('common:places.settings'),
      }),
    ),
    ...SINGLE.map(([name, section]) => {
      const more = [t(`settings:sections.${section}`), ...(name.startsWith('cap') ? [t('settings:caps')] : [])]
      const open = () => goTo('settings', { section })
      return command(`setting-${name}`, t(`settings:${name}`), open, { more: more.join(' · ') })
    }),
  ]
}

const chosen = (what: 'theme' | 'language', value: string) => t('common:pair', { what: t(`settings:${what}`), value })

/** What is set already is not offered. A language has its name in the window's language and its own: not all read the current one. */
function appearance({ settings: { appearance: now } }: UiState): Command[] {
  const themes = (['system', 'light', 'dark'] as const).filter((theme) => theme !== now.theme)
  const languages = (['system', ...LANGUAGES] as const).filter((language) => language !== now.language)
  return [
    ...themes.map((theme) =>
      command(`theme-${theme}`, chosen('theme', t(`settings:${theme}`)), () =>
        askOrToast('settings.set', { appearance: { theme } }),
      ),
    ),
    ...languages.map((language) => {
      const isSystem = language === 'system'
      return command(
        `language-${language}`,
        chosen('language', isSystem ? t('settings:system') : ownLanguageName(language)),
        () => askOrToast('settings.set', { appearance: { language } }),
        isSystem ? {} : { more: languageName(language) },
      )
    }),
  ]
}

/** Removes finished jobs from the list and offers to put them back; files stay. */
async function clearFinished(): Promise<void> {
  const taken = await askOrToast('jobs.remove', { states: [...SETTLED_STATES] })
  if (taken !== null) sayRemoved(taken)
}

async function reconcileAll(): Promise<void> {
  if ((await askOrToast('folders.reconcile', { id: null })) !== null) toast(t('frame:palette.reconciling'))
}
