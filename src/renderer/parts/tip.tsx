import { Tooltip } from 'radix-ui'
import type { ReactElement } from 'react'
import { useFloor } from './floor.ts'

/** A tooltip on its child, on hover and on focus. The child keeps its accessible name. */
export function Tip({
  text,
  side = 'top',
  children,
}: {
  text: string
  side?: 'top' | 'right' | 'bottom' | 'left'
  children: ReactElement
}) {
  const floor = useFloor()
  return (
    <Tooltip.Root delayDuration={500}>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal container={floor}>
        <Tooltip.Content className="tooltip" side={side} sideOffset={4} collisionPadding={8}>
          {text}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
