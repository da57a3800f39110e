import type { ReactNode } from 'react'
import { t } from 'i18next'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface QuestionProps {
  title: string
  text: string
  yes: string
  no?: string
  isDanger?: boolean
  /** The focus is on the answer that does something: nothing is lost by it. */
  isUsual?: boolean
  onYes: () => unknown
  onNo: () => void
  children?: ReactNode
}

export function Question(given: QuestionProps) {
  const { title, text, yes, no, isDanger = true, isUsual = false, onYes, onNo, children } = given
  return (
    <Dialog
      title={title}
      onClose={onNo}
      actions={
        <>
          <Button data-autofocus={!isUsual} onClick={onNo}>
            {no ?? t('common:cancel')}
          </Button>
          {children}
          <Button kind={isDanger ? 'danger' : 'primary'} data-autofocus={isUsual} onClick={onYes}>
            {yes}
          </Button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  )
}
