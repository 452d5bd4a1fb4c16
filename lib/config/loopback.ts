/** Whether the host of a URL is this machine. */
export const isLoopbackHost = (hostname: string) =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
