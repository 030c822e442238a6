// The home page: the control room, and after it how to begin. Loaded when it is first shown.
import { Home } from "./home/home";
import { Welcome } from "./welcome/welcome";

export default function HomeView(props: { onStarted: (session: string) => void }) {
  return (
    <Home>
      <Welcome onStarted={props.onStarted} />
    </Home>
  );
}
