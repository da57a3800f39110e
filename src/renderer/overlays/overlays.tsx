import { Component, lazy, Suspense, type ReactNode } from 'react'
import { partMissing } from '../store/page-trouble.ts'
import { useView, type Overlay } from '../store/view-store.ts'
import { withTexts } from '../text/start-texts.ts'

const ConfirmSpend = lazy(async () => ({ default: (await import('./confirm-spend.tsx')).ConfirmSpend }))
const InboxDialog = lazy(async () => ({ default: (await import('./inbox-dialog.tsx')).InboxDialog }))
const IntakeDialog = lazy(async () => ({
  default: (await withTexts(import('./intake-dialog.tsx'), 'recipe')).IntakeDialog,
}))
const UploadDialog = lazy(async () => ({ default: (await import('./upload-dialog.tsx')).UploadDialog }))
const Palette = lazy(() => withTexts(import('./palette.tsx'), 'settings'))
const Shortcuts = lazy(() => import('./shortcuts.tsx'))

export function Overlays() {
  const overlay = useView((view) => view.overlay)
  if (overlay === null) return null
  return (
    <OverlayBoundary key={overlay.kind}>
      <Suspense fallback={null}>{shown(overlay)}</Suspense>
    </OverlayBoundary>
  )
}

/** Closes an overlay that crashes or whose script does not load; the page below reports the problem. */
class OverlayBoundary extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true }
  }

  override componentDidCatch(error: unknown): void {
    console.error('an overlay broke', error)
    partMissing()
    useView.setState({ overlay: null })
  }

  override render(): ReactNode {
    return this.state.isBroken ? null : this.props.children
  }
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
  }
}
