import { Popover as Radix } from 'radix-ui'
import { useContext, type ComponentProps, type ReactElement } from 'react'
import { Floor } from './floor.ts'
import './popover.css'

interface PopoverProps extends ComponentProps<typeof Radix.Root> {
  label: string
  trigger: ReactElement
  className?: string
}

export function Popover({ label, trigger, className = '', children, ...rest }: PopoverProps) {
  return (
    <Radix.Root modal={false} {...rest}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={useContext(Floor)}>
        <Radix.Content
          className={`popover ${className}`}
          aria-label={label}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onOpenAutoFocus={(event) => {
            const chosen = (event.target as HTMLElement).querySelector<HTMLElement>('[type=radio]:checked')
            if (chosen === null) return
            event.preventDefault()
            chosen.focus()
          }}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
