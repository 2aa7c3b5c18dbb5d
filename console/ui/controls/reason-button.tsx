import { Tooltip } from '@cloudflare/kumo/components/tooltip'
import { Button, type ButtonProps } from './button.tsx'

/** A button that, while disabled, stays focusable, shows the reason and does not submit a form. */
export function ReasonButton({ reason, ...button }: ButtonProps & { reason: string | null }) {
  if (reason === null) return <Button {...button} />
  const { onClick: _ignored, className = '', ...rest } = button
  return (
    <Tooltip
      content={reason}
      render={
        <Button
          {...rest}
          variant="secondary"
          aria-disabled="true"
          aria-description={reason}
          className={`opacity-60 ${className}`}
          onClick={(event) => event.preventDefault()}
        />
      }
    />
  )
}
