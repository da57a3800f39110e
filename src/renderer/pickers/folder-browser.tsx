import { FolderPlus } from 'lucide-react'
import { useState, useId } from 'react'
import { t } from 'i18next'
import { straightText } from '../../shared/text/safe-characters.ts'
import type { Place } from '../../shared/contract/places.ts'
import { errorText } from '../store/error-text.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { FolderList } from './folder-list.tsx'
import { useBrowse, type Browsing } from './use-browse.ts'
import './folder-browser.css'
import { useAttempt } from '../store/use-attempt.ts'
import { FieldError, Form } from '../parts/field.tsx'
import { useLanguage } from '../text/start-texts.ts'

/** Picks a folder of the engine's computer, for shells whose page has no system dialog for that. */
export function FolderBrowser(given: { title: string; onPick: (place: Place) => void; onClose: () => void }) {
  const { title, onPick, onClose } = given
  useLanguage() // It is drawn by a root of its own.
  const browsing = useBrowse()
  const [isNaming, setNaming] = useState(false)
  const [cameFrom, setCameFrom] = useState<string | null>(null)
  const { view, error, isBusy } = browsing
  const up = (steps: number) => {
    if (view === null || view.parent === null) return
    setCameFrom(pathSteps(view.here.path).find((step) => step.up === steps - 1)?.name ?? null)
    browsing.up(steps)
  }
  const choose = () => {
    if (view !== null) onPick(view.here)
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        isNaming ? (
          <NewFolder
            onMake={async (name) => {
              const why = await browsing.makeFolder(name)
              if (why === null) setNaming(false)
              return why === null ? null : errorText(why)
            }}
            onCancel={() => setNaming(false)}
          />
        ) : (
          <Buttons here={view?.here ?? null} onName={() => setNaming(true)} onClose={onClose} onChoose={choose} />
        )
      }
    >
      <div className="browser stack" aria-busy={isBusy}>
        {view === null ? null : <Steps path={view.here.path} onUp={up} />}
        {error === null ? null : (
          <p className="callout bad" role="alert">
            {errorText(error)}
          </p>
        )}
        <Content
          browsing={browsing}
          cameFrom={cameFrom}
          onOpen={(token) => {
            setCameFrom(null)
            browsing.open(token)
          }}
          onUp={() => up(1)}
          onChoose={choose}
        />
      </div>
    </Dialog>
  )
}

function Buttons(given: { here: Place | null; onName: () => void; onClose: () => void; onChoose: () => void }) {
  const { here, onName, onClose, onChoose } = given
  return (
    <>
      <Button className="first" kind="quiet" disabled={here === null} onClick={onName}>
        <FolderPlus size={16} aria-hidden />
        {t('folders:browser.newFolder')}
      </Button>
      <Button onClick={onClose}>{t('common:cancel')}</Button>
      <Button kind="primary" disabled={here === null} onClick={onChoose}>
        <span className="browser-choose ellipsis" title={straightText(here?.name ?? '')}>
          {t('folders:browser.choose', { name: here?.name ?? '' })}
        </span>
      </Button>
    </>
  )
}

function Content(given: {
  browsing: Browsing
  cameFrom: string | null
  onOpen: (token: string) => void
  onUp: () => void
  onChoose: () => void
}) {
  const { view, isBusy, error } = given.browsing
  if (view === null) {
    if (error !== null) return <Button onClick={() => given.browsing.open(null)}>{t('common:retry')}</Button>
    return <p className="browser-wait secondary">{isBusy ? t('common:loading') : ''}</p>
  }
  return (
    <>
      <FolderList
        key={view.here.token}
        folders={view.folders}
        startAt={given.cameFrom}
        onOpen={given.onOpen}
        onUp={given.onUp}
        onChoose={given.onChoose}
      />
      <p className="secondary figures" role="status">
        {t('folders:browser.pictures', { count: view.pictures })}
        {view.cut ? ` ${t('folders:browser.cut', { count: view.folders.length })}` : ''}
      </p>
    </>
  )
}

/** The path as buttons that go up; what does not fit leaves at the front. */
function Steps({ path, onUp }: { path: string; onUp: (steps: number) => void }) {
  return (
    <nav className="browser-steps" aria-label={t('folders:browser.path')} title={straightText(path)}>
      <ol dir="ltr">
        {pathSteps(path).map(({ name, up }, index, steps) => (
          <li key={up} className={steps[index - 1]?.name === '/' ? 'after-root' : ''}>
            <button
              type="button"
              className="browser-step"
              aria-current={up === 0 ? 'location' : undefined}
              disabled={up === 0}
              onClick={() => onUp(up)}
            >
              <bdi>{straightText(name)}</bdi>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** Names and makes a folder; Escape takes back only this. `onMake` resolves to why it could not be made, or null. */
function NewFolder({ onMake, onCancel }: { onMake: (name: string) => Promise<string | null>; onCancel: () => void }) {
  const [name, setName] = useState('')
  const { isBusy, failure, attempt, forget } = useAttempt()
  const id = useId()
  return (
    <Form
      className="browser-naming"
      onSubmit={() => attempt(() => onMake(name.trim()))}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onCancel()
      }}
    >
      <input
        className="input"
        autoFocus
        dir="auto"
        maxLength={200}
        aria-label={t('folders:browser.newName')}
        placeholder={t('folders:browser.newName')}
        value={name}
        aria-invalid={failure !== null}
        aria-describedby={failure === null ? undefined : `${id}-error`}
        onChange={(event) => {
          setName(event.target.value)
          forget()
        }}
      />
      <Button onClick={onCancel}>{t('common:cancel')}</Button>
      <Button type="submit" kind="primary" disabled={name.trim() === '' || isBusy}>
        {t('folders:browser.make')}
      </Button>
      <FieldError id={`${id}-error`} text={failure} />
    </Form>
  )
}

/**
 * A path as steps from its root to its last folder: `/home/anna` → `/`, `home`, `anna`; `C:\Users` → `C:`, `Users`. `up`: how many
 * folders above the last one.
 */
function pathSteps(path: string) {
  const separator = path.startsWith('/') || !path.includes('\\') ? '/' : '\\'
  const names = path.split(separator).filter((name) => name !== '')
  if (separator === '/' && path.startsWith('/')) names.unshift('/')
  // A share's server is no folder that could be opened: `\\server\share` is one step.
  if (path.startsWith('\\\\') && names.length > 1) names.splice(0, 2, `\\\\${names[0]!}\\${names[1]!}`)
  return names.map((name, index) => ({ name, up: names.length - 1 - index }))
}
