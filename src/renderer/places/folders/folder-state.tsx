import { CircleAlert, Eye, Pause, RefreshCw, Timer, type LucideIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { FolderState as State } from '../../../shared/contract.ts'

const LOOK: Record<State | 'unreadable', { Icon: LucideIcon; colour: string }> = {
  starting: { Icon: RefreshCw, colour: 'var(--working)' },
  reconciling: { Icon: RefreshCw, colour: 'var(--working)' },
  watching: { Icon: Eye, colour: 'var(--done)' },
  polling: { Icon: Timer, colour: 'var(--waiting)' },
  paused: { Icon: Pause, colour: 'var(--secondary)' },
  missing: { Icon: CircleAlert, colour: 'var(--failed)' },
  unreadable: { Icon: CircleAlert, colour: 'var(--failed)' },
  refused: { Icon: CircleAlert, colour: 'var(--failed)' },
}

/** How a watched folder is, as a shape and a word. */
export function FolderState({ state }: { state: State | 'unreadable' }) {
  const { t } = useTranslation('folders')
  const { Icon, colour } = LOOK[state]
  return (
    <span className="mark folders-state">
      <Icon size={14} aria-hidden style={{ color: colour }} />
      <span className="ellipsis">{t(`state.${state}`)}</span>
    </span>
  )
}
