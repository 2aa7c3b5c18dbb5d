/**
 * The service worker of an app. Shows notifications, opens their page on a click, and subscribes again when the browser has replaced the
 * subscription. The worker does not intercept requests.
 */
export const WORKER_SOURCE = `addEventListener('install', () => skipWaiting())
addEventListener('push', (event) => {
  const { title, body, icon, tag, url } = event.data.json()
  event.waitUntil(registration.showNotification(title, { body, icon, tag, data: { url } }))
})
addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(show(new URL(event.notification.data.url, location.origin)))
})
async function show(url) {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = pages.find((page) => page.url === url.href)
  return open ? open.focus() : clients.openWindow(url)
}
addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)))
async function renew({ newSubscription }) {
  const key = async () => (await (await fetch('/_app/push/key')).json()).data.key
  const options = async () => ({ userVisibleOnly: true, applicationServerKey: await key() })
  const subscription = newSubscription ?? (await registration.pushManager.subscribe(await options()))
  const headers = { 'content-type': 'application/json' }
  await fetch('/_app/push/devices', { method: 'POST', headers, body: JSON.stringify(subscription) })
}
`
