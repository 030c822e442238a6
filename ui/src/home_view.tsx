// The home page: the control room, and after it how to begin. Loaded when it is first shown.
import type { Board } from "./home/board/board";
import { Home } from "./home/home";
import { Welcome } from "./welcome/welcome";

export default function HomeView(props: { board: Board; onStarted: (session: string) => void }) {
  return (
    <Home board={props.board}>
      <Welcome onStarted={props.onStarted} />
    </Home>
  );
}
