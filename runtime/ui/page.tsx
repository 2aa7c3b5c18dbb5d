import { type ReactNode, useEffect } from 'react'
import { manifest } from '../manifest.gen.ts'
import { Link } from '../web/navigation.tsx'
import { Icon } from './icons.tsx'

interface PageProps {
  title: string
  description?: ReactNode
  actions?: ReactNode
  /** Where the way back leads: `{ to: '/', label: 'Plants' }`. */
  back?: { to: string; label: string } | undefined
  children: ReactNode
}

/** One page: its heading, what can be done on it, and its content. */
export function Page({ title, description, actions, back, children }: PageProps) {
  useEffect(() => {
    document.title = title === manifest.name ? title : `${title} · ${manifest.name}`
  }, [title])
  return (
    <div className="page">
      {back !== undefined && (
        <Link to={back.to} className="page-back">
          <Icon name="back" size={16} />
          {back.label}
        </Link>
      )}
      <header className="page-head">
        <div>
          {/* Takes the focus after a move inside the app, so that readers begin here. */}
          <h1 tabIndex={-1}>{title}</h1>
          {description !== undefined && <p className="page-description">{description}</p>}
        </div>
        {actions !== undefined && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
