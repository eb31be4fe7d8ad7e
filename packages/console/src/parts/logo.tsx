export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" className="logo-back" />
      <path d="M7 25V12.500L16 7l9 5.500V25h-4.500v-8a4.500 4.500 0 0 0-9 0v8z" className="logo-front" />
    </svg>
  );
}
