import type { ReactElement, Ref } from 'react'
import { Button } from './button.tsx'

interface IconButtonProps {
  label: string
  icon: ReactElement
  onClick: () => void
  /** Shown instead of the name, where the name says more than what stands beside it. */
  title?: string
  className?: string
  ref?: Ref<HTMLButtonElement>
  'aria-expanded'?: boolean
  'aria-haspopup'?: 'dialog'
  'aria-pressed'?: boolean
}

/** A small button that is an icon alone: its name is read out, and shown to who rests on it. */
export function IconButton({ label, ...passed }: IconButtonProps) {
  return (
    <Button
      type="button"
      size="sm"
      shape="square"
      variant={passed['aria-pressed'] ? 'secondary' : 'ghost'}
      aria-label={label}
      title={label}
      {...passed}
    />
  )
}
