import { lazy, Suspense, useRef, useState, useEffect, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { isOnDesktop } from '../bridge/connect.ts'
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
import { Connecting } from './connecting.tsx'
import { PlaceBoundary } from './place-boundary.tsx'
import { Rail } from './rail.tsx'
import { AwayBar } from './away-bar.tsx'
import { UploadBar } from './upload-bar.tsx'
import { StoppedBar } from './stopped-bar.tsx'
import { useAppearance } from './use-appearance.ts'
import { WaitingBars } from './waiting-bars.tsx'
import { useConnection } from '../store/use-connection.ts'
import { useNotices } from './use-notices.ts'
import { countText } from '../text/figures.ts'
import { withTexts } from '../text/start-texts.ts'
import { undoLast } from '../store/undo.ts'
import { isTypedIn, useShortcuts } from '../parts/use-shortcut.ts'

import './app.css'

const PLACE: Record<PlaceName, React.ComponentType> = {
  jobs: JobsPlace,
  folders: lazy(() => withTexts(import('../places/folders/folders-place.tsx'), 'folders', 'recipe')),
  credits: lazy(() => withTexts(import('../places/credits/credits-place.tsx'), 'credits')),
  chargers: lazy(() => withTexts(import('../places/chargers/chargers-place.tsx'), 'chargers')),
  settings: lazy(() => withTexts(import('../places/settings/settings-place.tsx'), 'settings', 'recipe')),
}

/** Seldom seen. */
const SignedOut = lazy(() => withTexts(import('./signed-out.tsx'), 'signIn'))

export function App() {
  useAppearance()
  const { state, isSilent } = useConnection()
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
          <Frame isLost={state !== 'open'} isSilent={isSilent} />
        ) : (
          <Connecting />
        )}
      </PlaceBoundary>
      {aDialogIsOpen ? null : <ToastList />}
      <Tips />
    </>
  )
}

function Frame({ isLost, isSilent }: { isLost: boolean; isSilent: boolean }) {
  const { t } = useTranslation(['frame', 'common'])
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
          {t('skip')}
        </button>
        <Rail />
        <div className="frame-content">
          {isLost || isSilent ? <ConnectionBar isLost={isLost} /> : null}
          <StoppedBar />
          <AwayBar />
          <UploadBar />
          <WaitingBars />
          <main ref={main} className={isLost ? 'frame-main stale' : 'frame-main'} tabIndex={-1} aria-busy={isLost}>
            <PlaceBoundary key={place} name={t(`common:places.${place}`)}>
              <Suspense fallback={null}>
                <Shown />
              </Suspense>
            </PlaceBoundary>
            <div ref={setFloor} />
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

/** The window's title: the progress while there is work, else the place. */
function useDocumentTitle(): void {
  const { t, i18n } = useTranslation('frame')
  const place = useView((view) => view.place)
  const total = useShell(({ state }) => state?.progress.total ?? 0)
  const ended = useShell(({ state }) => state?.progress.ended ?? 0)
  useEffect(() => {
    const count = (figure: number) => countText(figure, i18n.language)
    const isWorking = total > ended
    const what = isWorking
      ? t('titleWorking', { ended: count(ended), total: count(total) })
      : t(`places.${place}`, { ns: 'common' })
    document.title = t('title', { what })
  }, [t, i18n, place, total, ended])
}

/** The shortcuts that work everywhere. Places add their own. */
function useGlobalShortcuts(): void {
  const { pauseOrResume: _hasNoKeys, ...actions } = windowActions
  // In a text field, the field's own undo applies.
  useShortcuts({ ...actions, undo: ({ target }) => !isTypedIn(target) && undoLast() })
}

/** Over the content while the connection is lost, or nothing is answered: what is shown may be old. */
function ConnectionBar({ isLost }: { isLost: boolean }) {
  const { t } = useTranslation('frame')
  return (
    <div className="frame-bar lost" role="status">
      <p>{t(isLost ? 'lost' : isOnDesktop ? 'silent.desktop' : 'silent.web')}</p>
    </div>
  )
}
