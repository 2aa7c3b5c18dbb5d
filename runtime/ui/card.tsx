import { type ReactNode, useId } from 'react'

/** A framed surface for one topic. With a title it is a landmark region. */
export function Card({
  title,
  actions,
  children,
}: {
  title?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  if (title === undefined) return <div className="card">{children}</div>
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  )
}
