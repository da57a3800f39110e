import { Command as Cmdk } from 'cmdk'
import { useState } from 'react'
import { t } from 'i18next'
import type { JobRow } from '../../shared/contract/jobs.ts'
import { straightText } from '../../shared/text/safe-characters.ts'
import { keysText } from '../parts/shortcut-keys.ts'
import { useShell } from '../store/shell-store.ts'
import { useAnswer } from '../store/use-answer.ts'
import { goTo, showOverlay } from '../store/view-store.ts'
import { Dialog } from '../parts/dialog.tsx'
import { StateShape } from '../parts/state-mark.tsx'
import { paletteCommands, type Command, type GroupName } from './palette-commands.ts'
import { useRecipes } from '../recipe/recipe-choice.ts'
import './palette.css'

/** Shown before anything is typed. */
const FIRST: readonly GroupName[] = ['places', 'actions']
const MIN_LETTERS = 3
const MAX_JOBS = 8
const REST_MS = 180
const PICTURE_ID = 'job-'

const close = () => showOverlay(null)

function headingOf(name: GroupName): string {
  if (name === 'places' || name === 'actions') return t(`frame:palette.${name}`)
  return name === 'folders' || name === 'settings' ? t(`common:places.${name}`) : t(`settings:sections.${name}`)
}

export default function Palette() {
  const [text, setText] = useState('')
  const state = useShell((shell) => shell.state)
  const recipes = useRecipes()
  const jobs = useFoundJobs(text)
  if (state === null) return null
  const groups = paletteCommands(state, recipes)
  const shown = text.trim() === '' ? FIRST : (Object.keys(groups) as GroupName[])
  return (
    <Dialog bare title={t('frame:shortcuts.palette')} onClose={close}>
      <Cmdk label={t('frame:shortcuts.palette')} className="palette" loop filter={scoreOf}>
        <Cmdk.Input
          className="palette-input"
          placeholder={t('frame:palette.placeholder')}
          value={text}
          onValueChange={setText}
          data-autofocus
        />
        <Cmdk.List className="palette-list" label={t('frame:palette.found')}>
          <Cmdk.Empty className="palette-none">{t('frame:palette.none')}</Cmdk.Empty>
          {shown.map((name) => (
            // Sorted while something is typed; new ones stand in their order again.
            <Cmdk.Group key={`${name} ${text.trim() === ''}`} heading={headingOf(name)} className="palette-group">
              {groups[name].map((command) => (
                <Row key={command.id} command={command} />
              ))}
            </Cmdk.Group>
          ))}
          {jobs.length === 0 ? null : (
            <Cmdk.Group heading={t('common:places.jobs')} className="palette-group">
              {jobs.map((job) => (
                <Cmdk.Item
                  key={job.id}
                  value={`${PICTURE_ID}${job.id}`}
                  className="palette-item"
                  onSelect={() => goTo('jobs', { overlay: null, openJob: job.id })}
                >
                  <StateShape state={job.state} />
                  <span className="ellipsis" dir="auto" title={straightText(job.name)}>
                    {straightText(job.name)}
                  </span>
                  <span className="palette-more secondary ellipsis" title={straightText(job.dir)}>
                    <bdi>{straightText(job.dir)}</bdi>
                  </span>
                </Cmdk.Item>
              ))}
            </Cmdk.Group>
          )}
        </Cmdk.List>
      </Cmdk>
    </Dialog>
  )
}

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()

/** 0 unless every typed word is in a command; best if its name begins with the first. Ignores accents and case. Pictures come last. */
function scoreOf(id: string, text: string, [label = '', more = '']: readonly string[] = []): number {
  if (id.startsWith(PICTURE_ID)) return 0.1
  const typed = plain(text).split(/\s+/).filter(Boolean)
  const name = plain(label)
  if (!typed.every((word) => `${name} ${plain(more)}`.includes(word))) return 0
  const first = typed[0] ?? ''
  if (name.startsWith(first)) return 1
  return name.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(first)) ? 0.6 : 0.3
}

/** The newest jobs whose path contains the text; none when they cannot be read, for the palette has other commands. */
function useFoundJobs(text: string): readonly JobRow[] {
  const search = text.trim()
  const index = useAnswer('jobs.index', search.length < MIN_LETTERS ? null : { filter: { search } }, REST_MS)
  const ids = index.value?.sections.flatMap((section) => section.ids).slice(0, MAX_JOBS) ?? []
  return useAnswer('jobs.rows', ids.length === 0 ? null : { ids }).value?.rows ?? []
}

function Row({ command: { id, label, more, keys, run } }: { command: Command }) {
  return (
    <Cmdk.Item
      value={id}
      keywords={[label, more ?? '']}
      className="palette-item"
      onSelect={() => {
        close()
        run()
      }}
    >
      <span className="ellipsis" dir="auto" title={label}>
        {label}
      </span>
      {more === undefined ? null : (
        <span className="palette-more secondary ellipsis" title={straightText(more)}>
          <bdi>{straightText(more)}</bdi>
        </span>
      )}
      {keys === undefined ? null : <kbd>{keysText(keys)}</kbd>}
    </Cmdk.Item>
  )
}
