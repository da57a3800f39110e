import { useEffect, useEffectEvent } from 'react'
import { t, type ParseKeys } from 'i18next'
import type { PageRequest } from '../../../shared/contract/calls.ts'
import type { UiSettings } from '../../../shared/contract/settings.ts'
import { MAX_REQUESTS_PER_MINUTE } from '../../../shared/recipes/limits.ts'
import type { Capability } from '../../../shared/runtime/ports.ts'
import type { SETTING_GROUPS } from '../../../shared/settings/settings.ts'
import { LANGUAGES } from '../../../shared/text/languages.ts'
import { ownLanguageName } from '../../../shared/text/text-language.ts'
import { CheckField, Segmented, Select, TextField } from '../../parts/field.tsx'
import { askOrToast } from '../../store/bridge.ts'
import { REFRESH_MINUTES } from '../../store/charger-settings.ts'
import { useShell } from '../../store/shell-store.ts'
import { durationText } from '../../text/figures.ts'
import { SettingRow } from './section.tsx'
import { inBackground } from '../../bridge/in-background.ts'
import { useEdited } from '../../store/use-edited.ts'

type Key = ParseKeys<'settings'>

type In<Group> = Group extends keyof UiSettings ? `${Group}.${keyof UiSettings[Group] & string}` : never
type Path = keyof UiSettings | In<(typeof SETTING_GROUPS)[number]>

/** A setting and the control for it; a check box where nothing else is said. */
interface Setting {
  path: Path
  label: Key
  hint?: Key
  /** Shown only where the shell can do this. */
  needs?: Capability
  /** Bounds of a whole number, what is said beyond them, and what none means, where there may be none. */
  number?: { min: number; max: number; range: Key; none?: Key }
  choices?: readonly (readonly [value: string | number, label: Key | (() => string)])[]
  /** As a list that opens rather than side by side. */
  isList?: boolean
}

const MINUTE_MS = 60_000
const cap = (path: Path, label: Key): Setting => ({
  path,
  label,
  number: { min: 0, max: 1_000_000_000, range: 'wholeNumber', none: 'noCap' },
})

const SETTINGS = {
  appearance: [
    {
      path: 'appearance.theme',
      label: 'theme',
      choices: [
        ['system', 'system'],
        ['light', 'light'],
        ['dark', 'dark'],
      ],
    },
    {
      path: 'appearance.language',
      label: 'language',
      choices: [['system', 'system'], ...LANGUAGES.map((code) => [code, () => ownLanguageName(code)] as const)],
      isList: true,
    },
  ],
  notices: [
    { path: 'notifications.batchDone', label: 'noticeBatch', needs: 'notify' },
    { path: 'notifications.needsPerson', label: 'noticePerson', needs: 'notify' },
    { path: 'startAtLogin', label: 'startAtLogin', needs: 'startAtLogin' },
    { path: 'keepInTray', label: 'keepInTray', needs: 'tray' },
  ],
  caps: [
    cap('caps.perDay', 'capPerDay'),
    cap('caps.perMonth', 'capPerMonth'),
    cap('caps.perFolderPerDay', 'capPerFolder'),
  ],
  spending: [{ path: 'resendUnknownOnce', label: 'resendUnknown', hint: 'resendUnknownHint' }],
  chargers: [
    {
      path: 'chargers.refreshMinutes',
      label: 'refreshEvery',
      choices: REFRESH_MINUTES.map((minutes) => [
        minutes,
        minutes === 0 ? 'refreshByHand' : () => durationText(minutes * MINUTE_MS),
      ]),
    },
    { path: 'chargers.notifyFavourites', label: 'noticeFavourites' },
  ],
  queue: [
    {
      path: 'requestsPerMinute',
      label: 'requests',
      hint: 'requestsHint',
      number: { min: 1, max: MAX_REQUESTS_PER_MINUTE, range: 'requestsRange' },
    },
    { path: 'retentionDays', label: 'retention', number: { min: 1, max: 3650, range: 'retentionRange' } },
    {
      path: 'keyHeader',
      label: 'header',
      hint: 'headerHint',
      choices: [
        ['bearer', 'bearer'],
        ['x-api-key', 'xApiKey'],
      ],
    },
  ],
  data: [{ path: 'verboseLog', label: 'verbose' }],
} as const satisfies Record<string, readonly Setting[]>

export function SettingControls({ of, settings }: { of: keyof typeof SETTINGS; settings: UiSettings }) {
  const capabilities = useShell(({ state }) => state?.app.capabilities)
  const shown: readonly Setting[] = SETTINGS[of]
  return shown
    .filter(({ needs }) => needs === undefined || capabilities?.includes(needs))
    .map((setting) => <Control key={setting.path} setting={setting} value={valueAt(settings, setting.path)} />)
}

function Control({ setting, value }: { setting: Setting; value: unknown }) {
  const { path, number, choices, isList = false } = setting
  const label = t(`settings:${setting.label}`)
  const hint = setting.hint === undefined ? undefined : t(`settings:${setting.hint}`)
  const set = (to: unknown) => askOrToast('settings.set', changeAt(path, to))
  if (number !== undefined) {
    const { range, none, ...bounds } = number
    const emptyText = none === undefined ? undefined : t(`settings:${none}`)
    return (
      <NumberSetting
        {...{ label, hint, emptyText, ...bounds }}
        range={t(`settings:${range}`)}
        value={value as number}
        onSet={set}
      />
    )
  }
  if (choices === undefined) return <CheckField label={label} hint={hint} checked={value === true} onChange={set} />
  const words = choices.map(([one, name]) => ({
    value: String(one),
    label: typeof name === 'function' ? name() : t(`settings:${name}`),
  }))
  const given = {
    value: String(value),
    onChange: (chosen: string) => set(choices.find(([one]) => String(one) === chosen)?.[0]),
  }
  return (
    <SettingRow label={label} hint={hint}>
      {isList ? (
        <Select
          aria-label={label}
          {...given}
          choices={words.map((word) => ({ ...word, lang: word.value === 'system' ? undefined : word.value }))}
        />
      ) : (
        <Segmented label={label} {...given} choices={words} />
      )}
    </SettingRow>
  )
}

const valueAt = (settings: UiSettings, path: Path): unknown =>
  path.split('.').reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], settings)

/** The change that sets this and nothing else. */
const changeAt = (path: Path, value: unknown) =>
  path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as PageRequest<'settings.set'>

interface NumberSettingProps {
  label: string
  hint: string | undefined
  range: string
  value: number | null
  min: number
  max: number
  /** Explains that empty means none; without it a number is required. */
  emptyText: string | undefined
  /** Resolves to null if it was not stored. */
  onSet: (value: number | null) => Promise<unknown>
}

/** A whole number, stored on blur or Enter if it is in range. */
function NumberSetting({ label, hint, range, value, min, max, emptyText, onSet }: NumberSettingProps) {
  const edited = useEdited(String(value ?? ''), (one, other) => Object.is(numberIn(one), numberIn(other)))
  const text = edited.draft
  const given = numberIn(text)
  const isRight = given === null ? emptyText !== undefined : given >= min && given <= max
  const commit = () => {
    if (isRight && edited.isChanged) inBackground(() => edited.store(text, async () => (await onSet(given)) !== null))
  }
  // A place that is left by the keyboard blurs nothing.
  const leave = useEffectEvent(commit)
  useEffect(() => () => leave(), [])
  return (
    <TextField
      label={label}
      hint={hint}
      error={isRight ? null : range}
      inputMode="numeric"
      className="input figures settings-number"
      placeholder={emptyText ?? ''}
      value={text}
      onChange={(event) => edited.set(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit()
      }}
    />
  )
}

/** Null for an empty text, NaN for anything that is not a whole number. */
function numberIn(text: string): number | null {
  return text.trim() === '' ? null : /^\d+$/.test(text.trim()) ? Number(text) : NaN
}
