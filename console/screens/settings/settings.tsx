import { Outlet } from '@tanstack/react-router'

/** The frame of the organization's settings; each page brings its own heading. */
export function Settings() {
  return (
    <div className="mx-auto w-full max-w-3xl px-4 pt-8 pb-16 sm:px-8 sm:pt-12">
      <Outlet />
    </div>
  )
}
