import { Component, type ReactNode } from 'react'
import { t } from 'i18next'
import { Button } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'

interface Props {
  name: string
  children: ReactNode
}

/** Error boundary: keeps the rest of the window when a part of it fails, and says what happened. */
export class PlaceBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error: error ?? 'null' }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    return <Broken name={this.props.name} error={error} onAgain={() => this.setState({ error: null })} />
  }
}

function Broken({ name, error, onAgain }: { name: string; error: unknown; onAgain: () => void }) {
  const what = error instanceof Error ? error.message : String(error)
  const all = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : what
  return (
    <div className="frame-page" role="alert">
      <h1>{t('frame:broken.title', { name })}</h1>
      <p className="secondary">{t('frame:broken.means')}</p>
      <p className="mono">{what}</p>
      <div className="row">
        <CopyButton text={all} label={t('frame:broken.copy')} />
        <Button onClick={() => location.reload()}>{t('frame:broken.reload')}</Button>
        <Button kind="primary" onClick={onAgain}>
          {t('common:retry')}
        </Button>
      </div>
    </div>
  )
}
