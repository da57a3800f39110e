import { Command as Cmdk } from 'cmdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { straightText } from '../../shared/text/safe-characters.ts'
import { useKeysText } from '../parts/use-keys-text.ts'
import { useShell } from '../store/shell-store.ts'
import { goTo, showOverlay } from '../store/view-store.ts'
import { Dialog } from '../parts/dialog.tsx'
import { StateShape } from '../parts/state-mark.tsx'
import { type Command, rankCommands } from './rank-commands.ts'
import { paletteCommands } from './palette-commands.ts'
import { useRecipes } from '../recipe/recipe-choice.ts'
import { useFoundJobs } from './use-found-jobs.ts'
import './palette.css'

const close = () => showOverlay(null)

/** The command palette. */
export default function Palette() {
  const { t } = useTranslation('frame')
  const [text, setText] = useState('')
  const state = useShell((shell) => shell.state)
  const recipes = useRecipes()
  const jobs = useFoundJobs(text)
  if (state === null) return null
  const groups = rankCommands(paletteCommands(state, recipes), text)
  return (
    <Dialog bare title={t('palette.title')} onClose={close}>
      <Cmdk label={t('palette.title')} className="palette" loop shouldFilter={false}>
        <Cmdk.Input
          className="palette-input"
          placeholder={t('palette.placeholder')}
          value={text}
          onValueChange={setText}
          data-autofocus
        />
        <Cmdk.List className="palette-list" label={t('palette.found')}>
          <Cmdk.Empty className="palette-none">{t('palette.none')}</Cmdk.Empty>
          {groups.map(({ name, found }) => (
            <Cmdk.Group key={name} heading={t(`palette.group.${name}`)} className="palette-group">
              {found.map((command) => (
                <Row key={command.id} command={command} />
              ))}
            </Cmdk.Group>
          ))}
          {jobs.length === 0 ? null : (
            <Cmdk.Group heading={t('palette.group.jobs')} className="palette-group">
              {jobs.map((job) => (
                <Cmdk.Item
                  key={job.id}
                  value={`job-${job.id}`}
                  className="palette-item"
                  onSelect={() => goTo('jobs', { overlay: null, openJob: job.id })}
                >
                  <StateShape state={job.state} />
                  <span className="ellipsis" dir="auto" title={straightText(job.name)}>
                    {straightText(job.name)}
                  </span>
                  <span className="palette-more ellipsis" title={straightText(job.dir)}>
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

function Row({ command: { id, label, more, keys, run } }: { command: Command }) {
  const keysText = useKeysText()
  return (
    <Cmdk.Item
      value={id}
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
        <span className="palette-more ellipsis" title={straightText(more)}>
          <bdi>{straightText(more)}</bdi>
        </span>
      )}
      {keys === undefined ? null : <kbd>{keysText(keys)}</kbd>}
    </Cmdk.Item>
  )
}
