import { lazy, Suspense } from 'react'
import { useView, type Overlay } from '../store/view-store.ts'
import { ConfirmSpend } from './confirm-spend.tsx'
import { InboxDialog } from './inbox-dialog.tsx'
import { IntakeDialog } from './intake-dialog.tsx'
import { UploadDialog } from './upload-dialog.tsx'

const Palette = lazy(() => import('./palette.tsx'))
const Shortcuts = lazy(() => import('./shortcuts.tsx'))
const FirstRun = lazy(() => import('./first-run.tsx'))

/** What floats over everything, one at a time. */
export function Overlays() {
  const overlay = useView((view) => view.overlay)
  return <Suspense fallback={null}>{overlay === null ? null : shown(overlay)}</Suspense>
}

function shown(overlay: Overlay) {
  switch (overlay.kind) {
    case 'intake':
      return <IntakeDialog key={overlay.places[0]?.token ?? ''} {...overlay} />
    case 'upload':
      return <UploadDialog />
    case 'inbox':
      return <InboxDialog {...overlay} />
    case 'confirmSpend':
      return <ConfirmSpend key={overlay.batchId} batchId={overlay.batchId} />
    case 'palette':
      return <Palette />
    case 'shortcuts':
      return <Shortcuts />
    case 'firstRun':
      return <FirstRun />
  }
}
