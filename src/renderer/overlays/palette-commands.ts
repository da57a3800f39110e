import i18next from 'i18next'
import { LANGUAGES } from '../../shared/text/languages.ts'
import { ownLanguageName } from '../../shared/text/text-language.ts'
import type { UiState } from '../../shared/contract/stream.ts'
import { askOrToast } from '../store/bridge.ts'
import { changeChargers, REFRESH_MINUTES } from '../store/charger-settings.ts'
import { inBackground } from '../bridge/in-background.ts'
import { languageName } from '../recipe/language-names.ts'
import { placeKeys, PLACES, SHORTCUTS } from '../../shared/presentation/shortcuts.ts'
import { goTo, SETTINGS_SECTIONS } from '../store/view-store.ts'
import { windowActions } from '../store/window-actions.ts'
import { countText, durationText } from '../text/figures.ts'
import type { Command, GroupName } from './rank-commands.ts'
import { chooseFolder, choosePictures, trySamples } from '../intake/intake-commands.ts'
import type { RecipeChoice } from '../recipe/recipe-choice.ts'
import { SETTLED_STATES } from '../../shared/jobs/job-list.ts'
import type { UiSettings } from '../../shared/contract/settings.ts'
import { downloadResults, exportJobs, sayRemoved } from '../store/jobs-actions.ts'
import { useJobs } from '../store/jobs-store.ts'
import { chooseTexts } from '../store/import-texts.ts'
import { exportTextsOf, replaceWordsIn, startReview } from '../store/text-work.ts'
import { toast } from '../store/toasts.ts'
import { recipeName } from '../recipe/recipe-name.ts'

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

/** All commands that are available now, in groups, in the window's language. */
export function paletteCommands(state: UiState, recipes: readonly RecipeChoice[]): Record<GroupName, Command[]> {
  return {
    places: PLACES.map((place) => ({
      id: `place-${place}`,
      label: i18next.t(`common:places.${place}`),
      keys: placeKeys(place),
      run: windowActions[place],
    })),
    actions: actions(state),
    recipes: recipes.map(({ id, recipe }) => ({
      id: `recipe-${id ?? 'default'}`,
      label: i18next.t('frame:palette.withRecipe', { name: recipeName(recipe.name) }),
      run: () => inBackground('palette-commands.choosePictures', () => choosePictures(id === null ? null : recipe)),
    })),
    folders: state.folders.map(({ id, path }) => ({
      id: `folder-${id}`,
      label: path.split(/[\\/]/).findLast((part) => part !== '') ?? path,
      more: path,
      run: () => goTo('folders', { folder: id }),
    })),
    settings: [
      ...SETTINGS_SECTIONS.map((section) => ({
        id: `settings-${section}`,
        label: i18next.t(`settings:sections.${section}`),
        more: i18next.t('common:places.settings'),
        run: () => goTo('settings', { section }),
      })),
      ...singleSettings(),
      ...chargers(state),
    ],
    appearance: appearance(state),
  }
}

function actions({ settings, folders, app: { capabilities } }: UiState): Command[] {
  const { paused } = settings
  return [
    {
      id: 'choose',
      label: i18next.t('frame:palette.choose'),
      run: () => inBackground('palette-commands.choosePictures', choosePictures),
    },
    {
      id: 'choose-folder',
      label: i18next.t('frame:palette.chooseFolder'),
      run: () => inBackground('palette-commands.chooseFolder', chooseFolder),
    },
    {
      id: 'samples',
      label: i18next.t('jobs:trySamples'),
      run: () => inBackground('palette-commands.trySamples', trySamples),
    },
    {
      id: 'pause',
      label: i18next.t(paused ? 'frame:palette.resume' : 'frame:palette.pause'),
      run: windowActions.pauseOrResume,
    },
    {
      id: 'clear',
      label: i18next.t('frame:palette.clear'),
      run: () => inBackground('palette-commands.clearFinished', clearFinished),
    },
    {
      id: 'import-texts',
      label: i18next.t('jobs:importTexts'),
      run: () => {
        goTo('jobs')
        chooseTexts()
      },
    },
    ...texts(capabilities.includes('download')),
    ...(folders.length === 0
      ? []
      : [
          {
            id: 'reconcile',
            label: i18next.t('frame:palette.reconcile'),
            run: () => inBackground('palette-commands.reconcileAll', reconcileAll),
          },
        ]),
    {
      id: 'shortcuts',
      label: i18next.t('frame:shortcuts.title'),
      keys: SHORTCUTS.everywhere.shortcuts[0],
      run: windowActions.shortcuts,
    },
  ]
}

/** Of the selected jobs, or else of all that the list shows. */
function texts(canDownload: boolean): Command[] {
  const { index, selection } = useJobs.getState()
  const ids = selection.ids.size > 0 ? [...selection.ids] : (index?.allIds() ?? [])
  if (ids.length === 0) return []
  const figure = countText(ids.length, i18next.language)
  return [
    {
      id: 'review',
      label: i18next.t('frame:shortcuts.review'),
      keys: SHORTCUTS.inJobs.review[0],
      run: () => {
        goTo('jobs')
        inBackground('palette-commands.startReview', startReview)
      },
    },
    {
      id: 'replace-words',
      label: i18next.t('jobs:findAndReplace'),
      run: () => {
        goTo('jobs')
        replaceWordsIn(ids)
      },
    },
    ...(['csv', 'json', 'html'] as const).map((format) => ({
      id: `export-${format}`,
      label: i18next.t('frame:palette.export', { as: i18next.t(`jobs:exportAs.${format}`), count: ids.length, figure }),
      run: () => inBackground('palette-commands.exportJobs', () => exportJobs(ids, format)),
    })),
    {
      id: 'export-texts',
      label: i18next.t('jobs:exportTexts'),
      run: () => {
        goTo('jobs')
        exportTextsOf(ids)
      },
    },
    ...(canDownload
      ? [
          {
            id: 'export-zip',
            label: i18next.t('frame:palette.export', { as: i18next.t('jobs:exportAs.zip'), count: ids.length, figure }),
            run: () => inBackground('palette-commands.downloadResults', () => downloadResults(ids)),
          },
        ]
      : []),
  ]
}

function singleSettings(): Command[] {
  return SINGLE.map(([name, section]) => ({
    id: `setting-${name}`,
    label: i18next.t(`settings:${name}`),
    more: [
      i18next.t(`settings:sections.${section}`),
      ...(name.startsWith('cap') ? [i18next.t('settings:caps')] : []),
    ].join(' · '),
    run: () => goTo('settings', { section }),
  }))
}

/** What is set already is not offered. */
function chargers({ settings: { chargers: now } }: UiState): Command[] {
  const notifyFavourites = !now.notifyFavourites
  const { language } = i18next
  return [
    {
      id: 'notify-favourites',
      label: i18next.t(`frame:palette.favourites.${notifyFavourites ? 'on' : 'off'}`),
      run: () => inBackground('palette-commands.changeChargers', () => changeChargers({ notifyFavourites })),
    },
    ...REFRESH_MINUTES.filter((minutes) => minutes !== now.refreshMinutes).map((refreshMinutes) => ({
      id: `refresh-${refreshMinutes}`,
      label:
        refreshMinutes === 0
          ? i18next.t('frame:palette.refreshByHand')
          : i18next.t('frame:palette.refreshEvery', { time: durationText(refreshMinutes * 60_000, language) }),
      run: () => inBackground('palette-commands.changeChargers', () => changeChargers({ refreshMinutes })),
    })),
  ]
}

/** What is set already is not offered. */
function appearance({ settings: { appearance: now } }: UiState): Command[] {
  const themes = (['system', 'light', 'dark'] as const).filter((theme) => theme !== now.theme)
  const languages = (['system', ...LANGUAGES] as const).filter((language) => language !== now.language)
  return [
    ...themes.map((theme) => ({
      id: `theme-${theme}`,
      label: i18next.t(`frame:palette.theme.${theme}`),
      run: () => inBackground('palette-commands.changeAppearance', () => changeAppearance({ theme })),
    })),
    ...languages.map((language) => ({
      id: `language-${language}`,
      ...(language === 'system'
        ? { label: i18next.t('frame:palette.languageSystem') }
        : {
            // The label is in the window's language, the name in its own: a person may not be able to read the current one.
            label: i18next.t('frame:palette.language', { name: ownLanguageName(language) }),
            more: languageName(language, i18next.language),
          }),
      run: () => inBackground('palette-commands.changeAppearance', () => changeAppearance({ language })),
    })),
  ]
}

/** Removes finished jobs from the list and offers to put them back; files stay. */
async function clearFinished(): Promise<void> {
  const taken = await askOrToast('jobs.remove', { states: [...SETTLED_STATES] })
  if (taken === null) return
  sayRemoved(taken)
}

async function reconcileAll(): Promise<void> {
  if ((await askOrToast('folders.reconcile', { id: null })) !== null) toast(i18next.t('frame:palette.reconciling'))
}

async function changeAppearance(part: Partial<UiSettings['appearance']>): Promise<void> {
  await askOrToast('settings.set', { appearance: part })
}
