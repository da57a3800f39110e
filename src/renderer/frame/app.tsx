import { lazy, Suspense, useRef, useState, useEffect, type RefObject } from 'react'
import { t } from 'i18next'
import JobsPlace from '../places/jobs/jobs-place.tsx'
import { Overlays } from '../overlays/overlays.tsx'
import { DropTarget } from '../overlays/drop-target.tsx'
import { useOpenDialogs } from '../store/open-dialogs.ts'
import { useShell } from '../store/shell-store.ts'
import { useView } from '../store/view-store.ts'
import { windowActions } from '../store/window-actions.ts'
import type { PlaceName } from '../../shared/presentation/shortcuts.ts'
import { Floor } from '../parts/floor.ts'
import { Tips } from '../parts/tips.tsx'
import { ToastList } from '../parts/toasts.tsx'
import { PlaceBoundary } from './place-boundary.tsx'
import { Rail } from './rail.tsx'
import { Bars } from './bars.tsx'
import { useAppearance } from './appearance.ts'
import { isOnDesktop } from '../bridge/connect.ts'
import { useConnection } from '../bridge/connection.ts'
import { useNotices } from './use-notices.ts'
import { useLanguage, withTexts } from '../text/start-texts.ts'
import { undoLast } from '../store/toasts.ts'
import { isTypedIn, useShortcuts } from '../parts/use-shortcut.ts'
import './app.css'
import { Button } from '../parts/button.tsx'
import { useLate } from '../parts/use-late.ts'

const PLACE: Record<PlaceName, React.ComponentType> = {
  jobs: JobsPlace,
  folders: lazy(() => withTexts(import('../places/folders/folders-place.tsx'), 'folders', 'recipe')),
  credits: lazy(() => withTexts(import('../places/credits/credits-place.tsx'), 'credits')),
  chargers: lazy(() => withTexts(import('../places/chargers/chargers-place.tsx'), 'chargers')),
  settings: lazy(() => withTexts(import('../places/settings/settings-place.tsx'), 'settings', 'recipe')),
}

const SignedOut = lazy(() => withTexts(import('./signed-out.tsx'), 'signIn'))

export function App() {
  useAppearance()
  useLanguage()
  const { state } = useConnection()
  const isReady = useShell(({ state: uiState }) => uiState !== null)
  const aDialogIsOpen = useOpenDialogs(({ open }) => open.length > 0)
  return (
    <>
      <PlaceBoundary name="Hangar">
        {state === 'signedOut' ? (
          <Suspense fallback={null}>
            <SignedOut />
          </Suspense>
        ) : isReady ? (
          <Frame isLost={state !== 'open'} />
        ) : (
          <Connecting />
        )}
      </PlaceBoundary>
      {aDialogIsOpen ? null : <ToastList />}
    </>
  )
}

function Frame({ isLost }: { isLost: boolean }) {
  const place = useView((view) => view.place)
  const main = useRef<HTMLElement>(null)
  // Menus and tooltips are rendered inside the main landmark too: content outside all landmarks is hard to find with a screen
  // reader.
  const [floor, setFloor] = useState<HTMLElement | null>(null)
  useGlobalShortcuts()
  useDocumentTitle()
  useNotices()
  usePlaceFocus(place, main)
  const Shown = PLACE[place]
  return (
    <Floor value={floor}>
      <div className="frame">
        <button
          type="button"
          className="frame-skip"
          onClick={() => (main.current?.querySelector<HTMLElement>('[data-skip-to]') ?? main.current)?.focus()}
        >
          {t('frame:skip')}
        </button>
        <Rail />
        <div className="frame-content">
          <Bars />
          <main ref={main} className={isLost ? 'frame-main stale' : 'frame-main'} tabIndex={-1} aria-busy={isLost}>
            <PlaceBoundary key={place} name={t(`common:places.${place}`)}>
              <Suspense fallback={null}>
                <Shown />
              </Suspense>
            </PlaceBoundary>
            <div ref={setFloor} />
            <Tips />
          </main>
        </div>
        <DropTarget />
        <Overlays />
      </div>
    </Floor>
  )
}

/** When a place that has the focus unmounts, moves the focus to the next place instead of the top of the page. */
function usePlaceFocus(place: PlaceName, main: RefObject<HTMLElement | null>): void {
  const before = useRef(place)
  useEffect(() => {
    if (before.current === place) return
    before.current = place
    if (document.activeElement === null || document.activeElement === document.body) main.current?.focus()
  }, [place, main])
}

function useDocumentTitle(): void {
  const place = useView((view) => view.place)
  const total = useShell(({ state }) => state?.progress.total ?? 0)
  const ended = useShell(({ state }) => state?.progress.ended ?? 0)
  useEffect(() => {
    const isWorking = total > ended
    const what = isWorking ? t('frame:titleWorking', { ended, total }) : t(`common:places.${place}`)
    document.title = t('frame:title', { what })
  })
}

function useGlobalShortcuts(): void {
  const { pauseOrResume: _hasNoKeys, ...actions } = windowActions
  // In a text field, the field's own undo applies.
  useShortcuts({ ...actions, undo: ({ target }) => !isTypedIn(target) && undoLast() })
}

const QUIET_MS = 800

function Connecting() {
  const { state, isSilent } = useConnection()
  const isSlow = useLate(QUIET_MS)
  if (isSilent || (isSlow && state === 'lost')) return <NotReached />
  return (
    <main className="frame-page" aria-busy>
      {isSlow ? (
        <p className="secondary" role="status">
          {t('frame:connecting')}
        </p>
      ) : null}
    </main>
  )
}

function NotReached() {
  const shell = isOnDesktop ? 'desktop' : 'web'
  return (
    <main className="frame-page" role="alert">
      <h1>{t('frame:notReached.title')}</h1>
      <p className="secondary frame-advice">{t(`frame:notReached.${shell}`)}</p>
      <Button onClick={() => location.reload()}>{t('frame:notReached.again')}</Button>
    </main>
  )
}
