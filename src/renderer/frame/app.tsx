import { Tooltip } from 'radix-ui'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import JobsPlace from '../places/jobs/jobs-place.tsx'
import { Overlays } from '../overlays/overlays.tsx'
import { DropTarget } from '../overlays/drop-target.tsx'
import { useShell } from '../store/shell-store.ts'
import { useView, type PlaceName } from '../store/view-store.ts'
import { useOpenDialogs } from '../ui/dialog.tsx'
import { Floor } from '../ui/floor.ts'
import { ToastList } from '../ui/toasts.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { Connecting } from './connecting.tsx'
import { PlaceBoundary } from './place-boundary.tsx'
import { Rail } from './rail.tsx'
import { SignedOut } from './signed-out.tsx'
import { AwayBar } from './away-bar.tsx'
import { UploadBar } from './upload-bar.tsx'
import { SpendBanner } from './spend-banner.tsx'
import { StoppedBar } from './stopped-bar.tsx'
import { useAppearance } from './use-appearance.ts'
import { useConnection } from './use-connection.ts'
import { useDocumentTitle } from './use-document-title.ts'
import { useFirstRun } from './use-first-run.ts'
import { useGlobalShortcuts } from './use-global-shortcuts.ts'
import { useNotices } from './use-notices.ts'
import { usePlaceFocus } from './use-place-focus.ts'
import './app.css'

const PLACE: Record<PlaceName, React.ComponentType> = {
  jobs: JobsPlace,
  folders: lazy(() => import('../places/folders/folders-place.tsx')),
  credits: lazy(() => import('../places/credits/credits-place.tsx')),
  chargers: lazy(() => import('../places/chargers/chargers-place.tsx')),
  settings: lazy(() => import('../places/settings/settings-place.tsx')),
}

export function App() {
  useAppearance()
  const { state } = useConnection()
  const isReady = useShell(({ state: told }) => told !== null)
  const aDialogIsOpen = useOpenDialogs(({ ids }) => ids.length > 0)
  return (
    <Tooltip.Provider>
      <PlaceBoundary name="Hangar">
        {state === 'signedOut' ? <SignedOut /> : isReady ? <Frame isLost={state !== 'open'} /> : <Connecting />}
      </PlaceBoundary>
      {aDialogIsOpen ? null : <ToastList />}
    </Tooltip.Provider>
  )
}

function Frame({ isLost }: { isLost: boolean }) {
  const { t } = useTranslation(['frame', 'common'])
  const place = useView((view) => view.place)
  const main = useRef<HTMLElement>(null)
  // Menus and tooltips stand in the main part too: what lies outside all parts is hard to find by ear.
  const [floor, setFloor] = useState<HTMLElement | null>(null)
  useGlobalShortcuts()
  useDocumentTitle()
  useFirstRun()
  useNotices()
  usePlaceFocus(place, main)
  const Shown = PLACE[place]
  return (
    <Floor value={floor}>
      <div className="frame">
        <button type="button" className="frame-skip" onClick={() => main.current?.focus()}>
          {t('skip')}
        </button>
        <Rail />
        <div className="frame-content">
          {isLost ? <ConnectionBar /> : null}
          <StoppedBar />
          <AwayBar />
          <UploadBar />
          <SpendBanner />
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
