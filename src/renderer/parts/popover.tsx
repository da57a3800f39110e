import { Popover as Radix } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'
import { useFloor } from './floor.ts'
import './popover.css'

export function Popover({
  label,
  trigger,
  align = 'start',
  className = '',
  open,
  onOpenChange,
  children,
}: {
  label: string
  trigger: ReactElement
  align?: 'start' | 'center' | 'end'
  className?: string
  open?: boolean
  onOpenChange?: (open: boolean) => void
  children: ReactNode
}) {
  const floor = useFloor()
  const held = { ...(open === undefined ? {} : { open }), ...(onOpenChange === undefined ? {} : { onOpenChange }) }
  return (
    <Radix.Root modal={false} {...held}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={floor}>
        <Radix.Content
          className={`popover ${className}`}
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
