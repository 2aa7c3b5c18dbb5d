import { Button as KitButton } from '@cloudflare/kumo/components/button'
import { Loader } from '@cloudflare/kumo/components/loader'
import type { ComponentProps, MouseEvent } from 'react'

export type ButtonProps = ComponentProps<typeof KitButton>

/** The kit's button. While it is at work it does nothing and keeps the focus, which the kit's own would lose. */
export function Button({ loading = false, ...button }: ButtonProps) {
  if (!loading) return <KitButton {...button} />
  const { className = '', size } = button
  return (
    <KitButton
      {...button}
      disabled={false}
      aria-disabled="true"
      aria-busy="true"
      icon={<Loader size={size === 'lg' ? 16 : 14} />}
      className={`cursor-progress! opacity-60 ${className}`}
      onClick={doNothing}
    />
  )
}

/** A form is not sent either: its Enter presses this button. */
const doNothing = (event: MouseEvent) => event.preventDefault()
